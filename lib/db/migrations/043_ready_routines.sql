-- More ready-made routines, what each has told, and up to which passage of the index one has looked.

alter table routines drop constraint routines_ready_check;
alter table routines add constraint routines_ready_check
  check (ready in ('tidy', 'contradictions', 'stale_answers', 'morning_brief', 'weekly_review')) not valid;
alter table routines add column seen_revision bigint not null default 0;

create table routine_findings (
  space_id uuid not null references spaces (id),
  ready text not null,
  -- Of what was found: it is told again once it is another one.
  key text not null check (length(key) <= 200),
  found_at timestamptz not null default now(),
  primary key (space_id, ready, key)
);
