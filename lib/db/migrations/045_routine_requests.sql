-- Routines that the owner asked for in a message: an approved draft of one is a row here, and the routine is made from it.

create table routine_requests (
  id uuid primary key,
  space_id uuid not null references spaces (id),
  version integer not null default 1 check (version > 0),
  created_at timestamptz not null default now(),
  updated_at timestamptz not null default now(),
  created_by text not null,
  updated_by text not null,
  origin text not null default 'agent',
  deleted_at timestamptz,
  title text not null,
  body text not null,
  schedule text not null,
  time_zone text not null,
  made_at timestamptz,
  unique (space_id, id)
);
create index routine_requests_open on routine_requests (space_id, id) where made_at is null and deleted_at is null;
