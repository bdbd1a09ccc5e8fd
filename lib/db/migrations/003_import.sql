-- What an import made of each file, so that the next run of it knows the file again. A path that ends in a slash is a
-- folder; a folder and the file that describes it share one entity. `version` is the entity's after the import: a
-- later one means that somebody has edited it here. No foreign key to the entity: its row may be emptied from the
-- trash, and a file that was deleted here must stay known.

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

-- A new name may take over links that lead elsewhere, so links are looked up by name whether resolved or not.
create index links_name on links (space_id, name);
drop index links_unresolved;
