-- Research runs: what was asked and planned, each stage as it was finished, the passages that were found, and the claims
-- with their verdicts. What models and the plan made is `json`, not `jsonb`, as all provider content.
create table research_runs (
  id uuid primary key,
  space_id uuid not null references spaces (id),
  conversation_id uuid not null references conversations (id),
  agent_id uuid not null references agents (id),
  -- The turn that began it, and the one that carries it now or did so last.
  first_turn_id uuid not null unique references turns (id),
  turn_id uuid not null references turns (id),
  previous_id uuid references research_runs (id),
  title text not null check (char_length(title) between 1 and 200),
  question text not null check (char_length(question) between 1 and 4000),
  depth text not null check (depth in ('quick', 'standard', 'deep')),
  status text not null default 'running' check (status in ('running', 'paused', 'stopped', 'failed', 'done')),
  pause text check (pause in ('plan', 'calibration', 'budget')),
  outcome text check (outcome in ('answered', 'unverified', 'evidence', 'nothing_found')),
  plan json,
  -- What the owner wants otherwise; empty once the plan was made anew.
  change text check (char_length(change) <= 4000),
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
  check ((status = 'done') = (outcome is not null))
);
create unique index research_runs_one_open on research_runs (conversation_id) where status in ('running', 'paused');
create index research_runs_space on research_runs (space_id, id desc);
create index research_runs_conversation on research_runs (conversation_id, id desc);

-- A row a time that a stage was run. `started`: its model may be at work, and what that may cost is reserved.
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
  -- What was used, or, of a call that was cut off, what was reserved.
  tokens integer not null default 0 check (tokens >= 0),
  cost double precision,
  started_at timestamptz not null default now(),
  finished_at timestamptz,
  primary key (run_id, seq),
  check ((status = 'started') = (finished_at is null))
);

-- The ledger: every passage once, as it was when it was found.
create table research_evidence (
  run_id uuid not null references research_runs (id) on delete cascade,
  n text not null check (n ~ '^[WP]?[1-9][0-9]{0,3}$'),
  position integer not null check (position between 1 and 1000),
  entity_type text not null,
  entity_id uuid not null,
  ordinal integer not null check (ordinal >= 0),
  title text not null check (char_length(title) <= 1000),
  text text not null check (octet_length(text) <= 65536),
  sha256 text not null check (char_length(sha256) = 64),
  origin text,
  untrusted boolean not null,
  -- For each of the sub-questions the line that answers it best.
  sub_questions integer[] not null,
  quotes text[] not null,
  primary key (run_id, n),
  unique (run_id, position)
);

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
  against text[] not null,
  opinion text check (char_length(opinion) <= 500),
  primary key (run_id, id),
  unique (run_id, position)
);
