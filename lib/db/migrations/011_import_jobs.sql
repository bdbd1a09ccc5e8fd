-- An import as a job: what was handed over, what became of each file, and every write, so that it can be watched,
-- taken up after a crash, and taken back as a whole.

create table import_jobs (
  id uuid primary key,
  space_id uuid not null references spaces (id),
  source text not null check (source <> ''),
  -- The archive that is the whole import; what it holds is named without it.
  root text,
  state text not null default 'open' check (state in
    ('open', 'previewing', 'previewed', 'running', 'stopped', 'failed', 'done', 'undoing', 'undone')),
  -- Files that are through; of how many is known once archives are unpacked, at the end.
  done integer not null default 0,
  problem text,
  created_at timestamptz not null default now(),
  updated_at timestamptz not null default now()
);
create index import_jobs_space on import_jobs (space_id, id);
create index import_jobs_unfinished on import_jobs (state) where state in ('previewing', 'running', 'undoing');

-- Handed over and waiting in the data folder, under `name`.
create table import_uploads (
  job_id uuid not null references import_jobs (id) on delete cascade,
  path text not null,
  name text not null,
  size bigint not null,
  primary key (job_id, path)
);

-- What became of each file, or in a preview what would. `undone` once the import was taken back: whether that was, or
-- why not.
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
  undone text,
  primary key (job_id, path)
);
create index import_outcomes_order on import_outcomes (job_id, seq);

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
