-- Paths of pages and files, as in a folder on disk, and links by what they lead to from there.

-- Null: not given yet; a server gives one to each soon after its start.
alter table pages add column path text;
alter table source_docs add column path text;

-- What has a path and is not in the trash. A path is unique in its Space without regard to case and Unicode form.
create table entity_paths (
  space_id uuid not null references spaces (id),
  -- Folded (pathKey). In "C", what lies in a folder is a range.
  path_key text collate "C" not null,
  entity_type text not null,
  entity_id uuid not null unique,
  primary key (space_id, path_key)
);

-- `name` is what a link looks up (linkName). Null: written by an earlier release, by name alone.
alter table links
  -- By a name, or by a path from the text that holds the link.
  add column form text check (form in ('wiki', 'path')),
  -- As written, decoded.
  add column target text;

-- The bytes of an imported note that its text alone does not give again (line breaks, a byte order mark, another
-- encoding), and the SHA-256 of the text that they are of: after an edit they count no more.
alter table pages
  add column original bytea,
  add column original_of text;
