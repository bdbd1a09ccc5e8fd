-- Spaces and what they hold: pages, tasks, projects, references, resources, source documents and saved views, with their
-- names, links, properties and settings.
--
-- Conventions of the whole schema: ids are UUIDs (version 7, made by the application). Composite foreign keys on
-- (space_id, id) keep every reference inside its Space. An entity has `version` (1, then +1 a change), who made and last
-- changed it, `origin` (where it came from) and `deleted_at` (in the trash since). Text that a model or another program
-- wrote is `text` or `json`, never `jsonb`, which reorders keys and rejects \u0000.

create extension if not exists vector;

create table spaces (
  id uuid primary key,
  slug text not null check (slug ~ '^[a-z0-9]+(-[a-z0-9]+)*$' and length(slug) <= 80),
  name text not null check (name <> ''),
  description text not null default '',
  -- The owner's instructions to every companion that answers in the Space.
  instructions text not null default '' check (char_length(instructions) <= 4000),
  color text not null default 'violet'
    check (color in ('violet', 'blue', 'teal', 'moss', 'gold', 'rust', 'pink', 'gray')),
  -- Shown in lists in place of the name's first letter.
  emoji text not null default '' check (char_length(emoji) <= 16),
  version integer not null default 1 check (version > 0),
  created_at timestamptz not null default now(),
  updated_at timestamptz not null default now(),
  created_by text not null,
  updated_by text not null,
  origin text not null default 'owner' check (origin in ('owner', 'agent', 'import', 'mail', 'web', 'mcp')),
  deleted_at timestamptz
);
create unique index spaces_slug on spaces (slug) where deleted_at is null;

create table pages (
  id uuid primary key,
  space_id uuid not null references spaces (id),
  title text not null check (title <> ''),
  -- Markdown.
  body text not null default '',
  parent_id uuid,
  -- Order among the pages of one parent.
  position integer not null default 0,
  version integer not null default 1 check (version > 0),
  created_at timestamptz not null default now(),
  updated_at timestamptz not null default now(),
  created_by text not null,
  updated_by text not null,
  origin text not null default 'owner' check (origin in ('owner', 'agent', 'import', 'mail', 'web', 'mcp')),
  deleted_at timestamptz,
  unique (space_id, id),
  foreign key (space_id, parent_id) references pages (space_id, id),
  check (parent_id is distinct from id)
);
create index pages_parent on pages (parent_id) where parent_id is not null;
create index pages_space on pages (space_id, id) where deleted_at is null;
create index pages_at_top on pages (space_id, position, lower(title), id)
  where parent_id is null and deleted_at is null;
create index pages_by_title on pages (space_id, lower(title), id) where deleted_at is null;
create index pages_in_trash on pages (space_id, id) where deleted_at is not null;
-- Recently changed pages. Imported ones have an index of their own, so that a large import does not stand before the
-- pages that somebody worked on.
create index pages_worked_on on pages (space_id, updated_at, id)
  where deleted_at is null and updated_by <> 'system:import';
create index pages_imported on pages (space_id, updated_at, id)
  where deleted_at is null and updated_by = 'system:import';

create table projects (
  id uuid primary key,
  space_id uuid not null references spaces (id),
  title text not null check (title <> ''),
  body text not null default '',
  status text not null default 'active' check (status in ('active', 'on_hold', 'done', 'cancelled')),
  version integer not null default 1 check (version > 0),
  created_at timestamptz not null default now(),
  updated_at timestamptz not null default now(),
  created_by text not null,
  updated_by text not null,
  origin text not null default 'owner' check (origin in ('owner', 'agent', 'import', 'mail', 'web', 'mcp')),
  deleted_at timestamptz,
  unique (space_id, id)
);
create index projects_space on projects (space_id, id) where deleted_at is null;

create table tasks (
  id uuid primary key,
  space_id uuid not null references spaces (id),
  title text not null check (title <> ''),
  body text not null default '',
  status text not null default 'open' check (status in ('open', 'in_progress', 'done', 'cancelled')),
  priority text not null default 'normal' check (priority in ('low', 'normal', 'high', 'urgent')),
  due_on date,
  -- Null: no reminder.
  remind_at timestamptz,
  -- The part of an RRULE that the recurrence parser reads; null: the task does not repeat.
  recurrence text,
  project_id uuid,
  version integer not null default 1 check (version > 0),
  created_at timestamptz not null default now(),
  updated_at timestamptz not null default now(),
  created_by text not null,
  updated_by text not null,
  origin text not null default 'owner' check (origin in ('owner', 'agent', 'import', 'mail', 'web', 'mcp')),
  deleted_at timestamptz,
  unique (space_id, id),
  foreign key (space_id, project_id) references projects (space_id, id)
);
create index tasks_space on tasks (space_id, status, id) where deleted_at is null;
create index tasks_project on tasks (project_id) where project_id is not null;
create index tasks_remind_at on tasks (remind_at) where remind_at is not null and deleted_at is null;

-- References: books, articles, web pages.
create table refs (
  id uuid primary key,
  space_id uuid not null references spaces (id),
  title text not null check (title <> ''),
  url text,
  body text not null default '',
  author text,
  published_on date,
  version integer not null default 1 check (version > 0),
  created_at timestamptz not null default now(),
  updated_at timestamptz not null default now(),
  created_by text not null,
  updated_by text not null,
  origin text not null default 'owner' check (origin in ('owner', 'agent', 'import', 'mail', 'web', 'mcp')),
  deleted_at timestamptz,
  unique (space_id, id)
);
create index refs_space on refs (space_id, id) where deleted_at is null;

create table resources (
  id uuid primary key,
  space_id uuid not null references spaces (id),
  title text not null check (title <> ''),
  -- The owner's own word for what it is.
  kind text not null default 'other',
  url text,
  body text not null default '',
  version integer not null default 1 check (version > 0),
  created_at timestamptz not null default now(),
  updated_at timestamptz not null default now(),
  created_by text not null,
  updated_by text not null,
  origin text not null default 'owner' check (origin in ('owner', 'agent', 'import', 'mail', 'web', 'mcp')),
  deleted_at timestamptz,
  unique (space_id, id)
);
create index resources_space on resources (space_id, id) where deleted_at is null;

-- Imported and attached files.
create table source_docs (
  id uuid primary key,
  space_id uuid not null references spaces (id),
  title text not null check (title <> ''),
  mime text not null default 'text/plain',
  -- Extracted from the file.
  text text not null default '',
  -- The file's bytes; null: only its text is kept.
  original bytea,
  sha256 text not null,
  metadata json not null default '{}',
  version integer not null default 1 check (version > 0),
  created_at timestamptz not null default now(),
  updated_at timestamptz not null default now(),
  created_by text not null,
  updated_by text not null,
  origin text not null default 'owner' check (origin in ('owner', 'agent', 'import', 'mail', 'web', 'mcp')),
  deleted_at timestamptz,
  unique (space_id, id)
);
create index source_docs_space on source_docs (space_id, id) where deleted_at is null;
-- Finds a file that is attached a second time.
create index source_docs_sha256 on source_docs (space_id, sha256) where deleted_at is null;

-- An imported original is evidence: its title may be corrected, its text and bytes may not.
create function refuse_source_text_change() returns trigger language plpgsql as $$
begin
  if new.text is distinct from old.text or new.original is distinct from old.original
     or new.sha256 is distinct from old.sha256 or new.mime is distinct from old.mime then
    raise exception 'the text of a source document never changes' using errcode = 'check_violation';
  end if;
  return new;
end $$;
create trigger source_docs_text_is_fixed before update on source_docs
  for each row execute function refuse_source_text_change();

-- Saved lists of pages with filters, an order and columns. The body is the text of a `.base` file.
create table views (
  id uuid primary key,
  space_id uuid not null references spaces (id),
  title text not null check (title <> ''),
  body text not null default '',
  version integer not null default 1 check (version > 0),
  created_at timestamptz not null default now(),
  updated_at timestamptz not null default now(),
  created_by text not null,
  updated_by text not null,
  origin text not null default 'owner' check (origin in ('owner', 'agent', 'import', 'mail', 'web', 'mcp')),
  deleted_at timestamptz,
  unique (space_id, id)
);

-- The names an entity answers to in a [[wikilink]]: its title, its aliases, its path in an imported folder, and former
-- names, which any current name takes precedence over. `name` is normalized (normalizeName).
create table entity_names (
  space_id uuid not null references spaces (id),
  entity_type text not null,
  entity_id uuid not null,
  name text not null,
  source text not null check (source in ('title', 'alias', 'path', 'former')),
  -- Whether the entity is in the trash; its names return with it.
  hidden boolean not null default false,
  primary key (entity_id, source, name)
);
create index entity_names_name on entity_names (space_id, name);

-- Wikilinks, in the order in which they stand in the text. `to_id` null: nothing has that name.
create table links (
  space_id uuid not null references spaces (id),
  from_type text not null,
  from_id uuid not null,
  ordinal integer not null,
  -- Normalized, as in `entity_names`.
  name text not null,
  label text,
  heading text,
  embed boolean not null default false,
  to_type text,
  to_id uuid,
  primary key (from_id, ordinal),
  check ((to_type is null) = (to_id is null))
);
create index links_to on links (space_id, to_id) where to_id is not null;
create index links_name on links (space_id, name);

-- The tags and properties of a page, derived from its text in the transaction that writes it.
create table page_properties (
  page_id uuid primary key,
  space_id uuid not null,
  -- The page's version that was read, and the revision of the parser: a newer one renews the row.
  version integer not null,
  reading integer not null,
  -- Normalized for comparison, the parents of nested tags included, and each as it was first written.
  tags text[] not null,
  tag_names text[] not null,
  -- By name in lower case: { name, type, value, keys, n, s }.
  properties jsonb not null,
  foreign key (space_id, page_id) references pages (space_id, id) on delete cascade,
  check (cardinality(tags) = cardinality(tag_names))
);
create index page_properties_space on page_properties (space_id);
create index page_properties_tags on page_properties using gin (tags);

-- Pages pinned in the navigation of a Space, in the owner's order.
create table favourites (
  space_id uuid not null,
  page_id uuid not null,
  place integer not null,
  primary key (space_id, page_id),
  foreign key (space_id, page_id) references pages (space_id, id) on delete cascade
);

-- Templates and daily notes of a Space; without a row the defaults apply.
create table note_settings (
  space_id uuid primary key references spaces (id),
  templates_page text not null check (char_length(templates_page) between 1 and 200),
  daily_title text not null check (char_length(daily_title) between 1 and 100),
  daily_parent text not null check (char_length(daily_parent) <= 200),
  daily_template text not null check (char_length(daily_template) <= 200)
);

-- Whether the owner vouches for what comes from an import, a mail account or a connected source. Without a row: no.
create table trusted_origins (
  space_id uuid not null references spaces (id),
  kind text not null check (kind in ('import', 'mail', 'source')),
  -- The source of an import; the id of an account or a source.
  key text not null check (key <> '' and length(key) <= 500),
  trust text not null check (trust in ('own', 'outside')),
  primary key (space_id, kind, key)
);
