-- A draft whose address a channel without a screen was given: the first browser that takes it opens or offers it.
create table pending_openings (
  id uuid primary key,
  pending_change_id uuid not null unique references pending_changes (id) on delete cascade,
  space_id uuid not null references spaces (id),
  created_at timestamptz not null default now()
);
