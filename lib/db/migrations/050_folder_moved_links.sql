-- Links to and from a page whose file moved, as they led before. Those that still break after a minute are offered as drafts of
-- one changeset, which gets the id of the first of these rows.
create table folder_moved_links (
  id uuid primary key,
  folder_id uuid not null references folders (id) on delete cascade,
  at timestamptz not null,
  links json not null
);
create index folder_moved_links_folder on folder_moved_links (folder_id, at);
