-- Routines: what a companion does by itself, at times or after an event, and every run of one. What comes of a run is an
-- answer in a conversation and drafts.

create table routines (
  id uuid primary key,
  space_id uuid not null references spaces (id),
  name text not null check (length(name) between 1 and 100),
  instruction text not null check (length(instruction) between 1 and 20000),
  -- A recurrence rule of RFC 5545 with its time of day, HH:MM, as clocks of `time_zone` show it; null: after an event.
  schedule text check (length(schedule) <= 1000),
  at_time text,
  time_zone text not null,
  -- The first day that the schedule counts, YYYY-MM-DD.
  starts_on text not null,
  event text check (event in ('mail', 'page', 'import')),
  filter text not null default '',
  -- Null: the companion in use in the Space.
  agent_id uuid references agents (id),
  -- Null: that of the companion.
  model text,
  budget_usd double precision not null check (budget_usd >= 0),
  daily_budget_usd double precision check (daily_budget_usd >= 0),
  -- Hours in which it does not start, HH:MM.
  quiet_from text,
  quiet_until text,
  enabled boolean not null,
  -- Why it switched itself off; null: it did not.
  paused_reason text,
  -- Failed runs in a row.
  failures integer not null default 0,
  -- The next time that is due, when it may start, and by the clock of when that was worked out.
  next_due_at timestamptz,
  next_start_at timestamptz,
  computed_at timestamptz not null,
  conversation_id uuid references conversations (id),
  created_at timestamptz not null,
  updated_at timestamptz not null,
  deleted_at timestamptz,
  check ((schedule is null) = (at_time is null)),
  check ((schedule is null) <> (event is null)),
  check ((quiet_from is null) = (quiet_until is null))
);
create index routines_space on routines (space_id, id);
create index routines_due on routines (next_start_at) where enabled and deleted_at is null and next_start_at is not null;
create index routines_computed on routines (computed_at) where enabled and deleted_at is null;

-- An occurrence is a row: whoever inserts it runs it.
create table routine_runs (
  id uuid primary key,
  routine_id uuid not null references routines (id),
  due_at timestamptz not null,
  started_by text not null check (started_by in ('schedule', 'event', 'owner')),
  dry boolean not null default false,
  attempt integer not null default 1 check (attempt > 0),
  started_at timestamptz,
  ended_at timestamptz,
  -- Null: it runs.
  status text check (status in ('done', 'nothing_to_do', 'failed', 'skipped')),
  problem text,
  -- When a failed one is tried again.
  retry_at timestamptz,
  turn_id uuid references turns (id),
  cost_usd double precision,
  constraint routine_runs_occurrence unique (routine_id, due_at),
  check ((status is null) = (ended_at is null))
);
create index routine_runs_routine on routine_runs (routine_id, id desc);
create index routine_runs_open on routine_runs (routine_id) where status is null;
create index routine_runs_retries on routine_runs (retry_at) where retry_at is not null;
create index routine_runs_turn on routine_runs (turn_id) where turn_id is not null;
