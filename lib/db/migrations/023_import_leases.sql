-- What is handed over for an import waits in the database, where every server finds it, and a server that runs an import
-- holds it under a number that goes up whenever somebody else has a say in it.

update import_jobs
set state = 'failed', problem = 'Void was updated while its files waited. Import them again.', updated_at = now()
where state not in ('done', 'undone') and id in (select job_id from import_uploads);

drop table import_uploads;

create table import_uploads (
  id uuid primary key,
  job_id uuid not null references import_jobs (id) on delete cascade,
  path text not null,
  size bigint not null default 0,
  -- Why the file stays out of the import; it has no parts then.
  problem text,
  -- Set once all of its parts are in; before that it is no part of the import.
  complete boolean not null default false,
  received_at timestamptz not null default now()
);
create unique index import_uploads_path on import_uploads (job_id, path) where complete;
create index import_uploads_job on import_uploads (job_id);

create table import_upload_parts (
  upload_id uuid not null references import_uploads (id) on delete cascade,
  ordinal integer not null,
  bytes bytea not null,
  primary key (upload_id, ordinal)
);
-- Most of what is large is packed already.
alter table import_upload_parts alter column bytes set storage external;

alter table import_jobs
  add column claim integer not null default 0,
  -- Runs in a row that began and neither ended nor brought anything in.
  add column attempts integer not null default 0;
