-- The glance: what it looked at in a Space, what it decided and why, and what the owner has set. Off until a mode is
-- chosen.
create table glance_settings (
  space_id uuid primary key references spaces (id),
  mode text not null default 'off' check (mode in ('off', 'shadow', 'live')),
  snoozed_until timestamptz,
  nudges_per_day integer not null default 5 check (nudges_per_day between 0 and 5),
  evaluations_per_day integer not null default 40 check (evaluations_per_day between 0 and 40),
  -- When it was turned off because nudges were not used; null: the owner chose the mode.
  turned_off_at timestamptz,
  -- Since when the mode holds.
  mode_since timestamptz not null,
  -- Mail that was stored up to here has been looked at.
  mail_seen_at timestamptz not null
);

create table glance_mutes (
  space_id uuid not null references spaces (id),
  type text not null check (type in ('sender', 'kind')),
  value text not null check (char_length(value) between 1 and 320),
  created_at timestamptz not null,
  primary key (space_id, type, value)
);

-- `finished_at` null: a model is at work on it.
create table glances (
  id uuid primary key,
  space_id uuid not null references spaces (id),
  source text not null check (source in ('view', 'mail', 'image')),
  mode text not null check (mode in ('shadow', 'live')),
  -- What was in view, with the versions of what could be spoken of.
  view_key text not null check (char_length(view_key) <= 300),
  title text not null check (char_length(title) <= 500),
  stage text not null check (stage in ('code', 'triage', 'analyst')),
  reason text not null,
  nudge boolean not null,
  -- Whether a model was called.
  evaluated boolean not null,
  kind text check (kind in ('reply', 'deadline')),
  sender text check (char_length(sender) <= 320),
  thread_id uuid,
  message text check (char_length(message) <= 120),
  action_prompt text check (char_length(action_prompt) <= 500),
  evidence json not null default '[]',
  -- Tools that the models called, and what was checked.
  tools text[] not null default '{}',
  tokens integer not null default 0 check (tokens >= 0),
  cost double precision,
  duration_ms integer not null default 0 check (duration_ms >= 0),
  verdict text check (verdict in ('useful', 'noise', 'dismissed')),
  judged_at timestamptz,
  created_at timestamptz not null,
  finished_at timestamptz,
  check (not nudge or message is not null)
);
create unique index glances_one_at_work on glances (space_id) where finished_at is null;
create index glances_space on glances (space_id, id desc);
create index glances_nudges on glances (space_id, created_at desc) where nudge;
create index glances_evaluated on glances (space_id, created_at desc) where evaluated;
create index glances_time on glances (created_at);
