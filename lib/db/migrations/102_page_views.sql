-- Lists of pages with filters, an order and columns, saved by name. The body is the text of a `.base` file.
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
