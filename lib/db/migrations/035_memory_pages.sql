-- Memory: the page of a Space that is read into every turn there, and one of the owner's that is read in all of them. An id
-- is reserved before its page exists: the first line is drafted as the page that holds it.

create table memory_pages (
  page_id uuid primary key,
  space_id uuid not null references spaces (id),
  everywhere boolean not null default false,
  -- Whether the companion may propose lines that the owner did not ask it to remember.
  asks boolean not null default true,
  created_at timestamptz not null default now()
);
create unique index memory_pages_space on memory_pages (space_id) where not everywhere;
create unique index memory_pages_everywhere on memory_pages (everywhere) where everywhere;
