-- Research runs, and the glance, which looks at a Space by itself and speaks up when something is worth it.

-- running ⇄ paused → stopped, failed or done.
create table research_runs (
  id uuid primary key,
  space_id uuid not null references spaces (id),
  conversation_id uuid not null references conversations (id),
  agent_id uuid not null references agents (id),
  -- The turn that began it, and the one that carries it now or did so last.
  first_turn_id uuid not null unique references turns (id),
  turn_id uuid not null references turns (id),
  -- The run that it follows up.
  previous_id uuid references research_runs (id),
  title text not null check (char_length(title) between 1 and 200),
  question text not null check (char_length(question) between 1 and 4000),
  labels text[] not null default '{}' check (cardinality(labels) <= 10),
  depth text not null check (depth in ('quick', 'standard', 'deep')),
  status text not null default 'running' check (status in ('running', 'paused', 'stopped', 'failed', 'done')),
  -- What a paused run asks the owner about.
  pause text check (pause in ('plan', 'calibration', 'budget')),
  outcome text check (outcome in ('answered', 'unverified', 'evidence', 'nothing_found')),
  plan json,
  -- The owner's wish for another plan, until there is one.
  change text check (char_length(change) <= 4000),
  -- The beginning of a message to a paused run that is about something else, until the owner has said whether to leave the
  -- run for it. Empty: the owner said no, and the next message is for the run.
  break_out text check (char_length(break_out) <= 500),
  budget_usd double precision not null check (budget_usd > 0),
  budget_tokens integer not null check (budget_tokens > 0),
  verification json,
  answer json,
  summary text not null default '' check (char_length(summary) <= 1500),
  pending_change_id uuid references pending_changes (id),
  error json,
  archived_at timestamptz,
  created_at timestamptz not null default now(),
  updated_at timestamptz not null default now(),
  finished_at timestamptz,
  check ((status = 'paused') = (pause is not null)),
  check ((status = 'done') = (outcome is not null)),
  check (break_out is null or status in ('paused', 'stopped'))
);
create unique index research_runs_one_open on research_runs (conversation_id) where status in ('running', 'paused');
create index research_runs_space on research_runs (space_id, id desc);
create index research_runs_conversation on research_runs (conversation_id, id desc);

-- A row each time that a stage was run. `started`: its model may be at work, and what that may cost is reserved.
create table research_stages (
  run_id uuid not null references research_runs (id) on delete cascade,
  seq integer not null check (seq between 1 and 200),
  turn_id uuid not null references turns (id),
  stage text not null check (stage in (
    'analyze_query', 'websearch_calibration', 'retrieve', 'synthesize', 'verify', 'output'
  )),
  status text not null check (status in ('started', 'done', 'paused', 'failed', 'skipped', 'stopped')),
  summary text not null default '' check (char_length(summary) <= 1000),
  counts json not null default '{}',
  result json,
  reserved_tokens integer not null default 0 check (reserved_tokens >= 0),
  reserved_usd double precision,
  usage json,
  -- What was used; for a call that was cut off, what was reserved.
  tokens integer not null default 0 check (tokens >= 0),
  cost double precision,
  started_at timestamptz not null default now(),
  finished_at timestamptz,
  primary key (run_id, seq),
  check ((status = 'started') = (finished_at is null))
);

-- The ledger of a run: every passage once, as it was when it was found.
create table research_evidence (
  run_id uuid not null references research_runs (id) on delete cascade,
  -- Its number in citations: `W1` from the web, `P1` found by an earlier run of the thread, `1` otherwise.
  n text not null check (n ~ '^[WP]?[1-9][0-9]{0,3}$'),
  position integer not null check (position between 1 and 1000),
  -- For a passage from the web, of the stored tool result.
  entity_type text not null,
  entity_id uuid not null,
  ordinal integer not null check (ordinal >= 0),
  title text not null check (char_length(title) <= 1000),
  text text not null check (octet_length(text) <= 65536),
  sha256 text not null check (char_length(sha256) = 64),
  -- From the web.
  address text check (char_length(address) <= 2000),
  origin text,
  untrusted boolean not null,
  -- The plan's sub-questions that it was found for, and for each the line that answers it best.
  sub_questions integer[] not null,
  quotes text[] not null,
  -- Of an earlier run's passage: the run and number, and what its answer says with it.
  earlier json,
  primary key (run_id, n),
  unique (run_id, position),
  check ((earlier is not null) = (n like 'P%'))
);

-- The claims of an answer with their verdicts.
create table research_claims (
  run_id uuid not null references research_runs (id) on delete cascade,
  id text not null,
  position integer not null check (position between 1 and 200),
  section text not null check (char_length(section) <= 300),
  text text not null check (char_length(text) <= 2000),
  cites text[] not null,
  verdict text not null check (verdict in ('supported', 'partly', 'elsewhere', 'nowhere', 'disputed', 'unchecked')),
  reasons text[] not null,
  score double precision not null,
  -- Passages that contradict it.
  against text[] not null,
  -- A model's, recorded beside the code's verdict.
  opinion text check (char_length(opinion) <= 500),
  primary key (run_id, id),
  unique (run_id, position)
);

-- Off until the owner chooses a mode.
create table glance_settings (
  space_id uuid primary key references spaces (id),
  mode text not null default 'off' check (mode in ('off', 'shadow', 'live')),
  snoozed_until timestamptz,
  nudges_per_day integer not null default 5 check (nudges_per_day between 0 and 5),
  evaluations_per_day integer not null default 40 check (evaluations_per_day between 0 and 40),
  -- When it was turned off because nudges were not used; null: the owner chose the mode.
  turned_off_at timestamptz,
  -- Since when the mode applies.
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

-- Every look with its result, silence included. `finished_at` null: a model is at work on it.
create table glances (
  id uuid primary key,
  space_id uuid not null references spaces (id),
  source text not null check (source in ('view', 'mail', 'image')),
  mode text not null check (mode in ('shadow', 'live')),
  -- What was in view, with the versions of what it could speak of.
  view_key text not null check (char_length(view_key) <= 300),
  title text not null check (char_length(title) <= 500),
  -- How far it came, and why it ended there.
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
  -- The owner's.
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
