-- Imports as resumable jobs, and the leases of background work.

-- An import can be watched, resumed after a crash, and undone as a whole.
create table import_jobs (
  id uuid primary key,
  space_id uuid not null references spaces (id),
  source text not null check (source <> ''),
  -- The archive that is the whole import; what it holds is named without it.
  root text,
  state text not null default 'open' check (state in
    ('open', 'previewing', 'previewed', 'running', 'stopped', 'failed', 'done', 'undoing', 'undone')),
  -- Rises whenever another server, or the owner, takes the job over: it fences the writes of the one before.
  claim integer not null default 0,
  -- Runs in a row that neither ended nor brought anything in.
  attempts integer not null default 0,
  -- Finished files. Their total is known once archives are unpacked, at the end.
  done integer not null default 0,
  problem text,
  created_at timestamptz not null default now(),
  updated_at timestamptz not null default now()
);
create index import_jobs_space on import_jobs (space_id, id);
create index import_jobs_unfinished on import_jobs (state) where state in ('previewing', 'running', 'undoing');

-- Files that were handed over, in the database, where every server finds them.
create table import_uploads (
  id uuid primary key,
  job_id uuid not null references import_jobs (id) on delete cascade,
  path text not null,
  size bigint not null default 0,
  -- Why the file is left out of the import; it has no parts then.
  problem text,
  -- Whether all parts are in; before that it is no part of the import.
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
-- Most large files are compressed already.
alter table import_upload_parts alter column bytes set storage external;

-- The result of each file, or in a preview the expected one.
create table import_outcomes (
  job_id uuid not null references import_jobs (id) on delete cascade,
  seq bigint generated always as identity,
  path text not null,
  outcome text not null,
  title text,
  entity_type text,
  entity_id uuid,
  reason text,
  warnings json not null default '[]',
  -- After the import was undone: whether this was, or why not.
  undone text,
  primary key (job_id, path)
);
create index import_outcomes_order on import_outcomes (job_id, seq);

-- Every write of an import, for its undo.
create table import_writes (
  job_id uuid not null references import_jobs (id) on delete cascade,
  seq bigint generated always as identity,
  entity_type text not null,
  entity_id uuid not null,
  action text not null,
  version integer not null,
  primary key (job_id, seq)
);
create index import_writes_entity on import_writes (job_id, entity_id);

-- The entity that an import made of each file, so that the next import of it finds that again. A path that ends in a slash
-- is a folder; a folder and the file that describes it share one entity. `version` is the entity's after the import: a
-- later one was edited here. No foreign key to the entity: a file whose entity was deleted for good must stay known.
create table import_files (
  space_id uuid not null references spaces (id),
  source text not null check (source <> ''),
  path text not null check (path <> ''),
  entity_type text not null,
  entity_id uuid not null,
  sha256 text check (sha256 ~ '^[0-9a-f]{64}$'),
  version integer not null check (version > 0),
  imported_at timestamptz not null default now(),
  primary key (space_id, source, path),
  check ((sha256 is null) = (path like '%/'))
);
create index import_files_entity on import_files (space_id, entity_id);

-- The server that runs each background job. An expired lease may be taken by any server.
create table job_leases (
  name text primary key,
  owner uuid not null,
  lease_until timestamptz not null
);
