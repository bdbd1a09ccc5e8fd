-- Folders that are kept in step with a Space: for each note what both sides last agreed on, what is being written, and what
-- was done.

create table folders (
  id uuid primary key,
  space_id uuid not null unique references spaces (id),
  path text not null unique check (path <> ''),
  review text not null default 'off' check (review in ('off', 'others', 'all')),
  -- Those of the marker in the folder. `next_generation` is written down before the marker gets it.
  generation uuid,
  next_generation uuid,
  -- Which folder it is on its disk.
  root text,
  -- SHA-256 of the rules that leave files out.
  rules_hash text,
  -- When the marker last did not fit.
  misfit_at timestamptz,
  paused boolean not null default false,
  -- Why it is paused, or cannot go on; a sentence.
  problem text,
  -- Until then, missing files are the owner's wish.
  deletions_until timestamptz,
  held json not null default '[]',
  files integer not null default 0,
  last_at timestamptz,
  created_at timestamptz not null default now()
);

create table folder_entries (
  id uuid primary key,
  folder_id uuid not null references folders (id) on delete cascade,
  path text not null check (path <> ''),
  -- SHA-256 of the text that both had; null: none is known.
  base_text text,
  -- The file as it was last read: of its text and its bytes, and what changes with it. An empty fingerprint: read it again.
  file_text text,
  file_bytes text,
  fingerprint text not null default '',
  identity text,
  page_id uuid,
  page_version integer,
  page_text text,
  -- The texts whose conflict waits, and the draft that the owner decides on.
  waiting_file text,
  waiting_page text,
  pending_change_id uuid,
  check ((waiting_file is null) = (waiting_page is null))
);
create index folder_entries_path on folder_entries (folder_id, path);
create index folder_entries_page on folder_entries (page_id);

create table folder_intents (
  id uuid primary key,
  folder_id uuid not null references folders (id) on delete cascade,
  kind text not null check (kind in ('write', 'move', 'trash')),
  entry_id uuid not null,
  path text not null,
  target text,
  old_hash text,
  new_hash text,
  new_text text,
  page_id uuid,
  page_version integer,
  created_at timestamptz not null default now()
);
create index folder_intents_folder on folder_intents (folder_id, created_at);

-- What was moved aside for a write, in `.void/replaced` by this id. `hash`: as it was then.
create table folder_kept (
  id uuid primary key,
  folder_id uuid not null references folders (id) on delete cascade,
  path text not null,
  hash text,
  checks integer not null default 0,
  kept_at timestamptz not null
);
create index folder_kept_folder on folder_kept (folder_id, kept_at);

create table folder_log (
  seq bigint generated always as identity primary key,
  folder_id uuid not null references folders (id) on delete cascade,
  at timestamptz not null,
  -- Where it was done.
  side text not null check (side in ('file', 'page')),
  action text not null check (action in ('created', 'updated', 'moved', 'deleted', 'restored', 'conflict', 'kept')),
  path text not null,
  page_id uuid,
  -- The page's version after it.
  page_version integer
);
create index folder_log_folder on folder_log (folder_id, seq);

-- Text from a folder: the owner's own only where they say so.
alter table pages drop constraint pages_origin_check;
alter table pages add constraint pages_origin_check
  check (origin in ('owner', 'agent', 'import', 'mail', 'web', 'mcp', 'folder')) not valid;

alter table trusted_origins drop constraint trusted_origins_kind_check;
alter table trusted_origins add constraint trusted_origins_kind_check
  check (kind in ('import', 'mail', 'source', 'folder')) not valid;
