-- What models were asked for beside the answers: routing, naming, summing up, testing. What an answer used stands with
-- its turn. `turn_id` and `conversation_id` are known once the message that was routed is stored.
create table side_calls (
  id uuid primary key,
  space_id uuid references spaces (id),
  conversation_id uuid references conversations (id),
  turn_id uuid references turns (id),
  purpose text not null check (purpose in ('routing', 'naming', 'summary', 'test')),
  model text not null,
  input_tokens integer not null check (input_tokens >= 0),
  output_tokens integer not null check (output_tokens >= 0),
  cache_creation_input_tokens integer not null check (cache_creation_input_tokens >= 0),
  cache_read_input_tokens integer not null check (cache_read_input_tokens >= 0),
  duration_ms integer not null check (duration_ms >= 0),
  created_at timestamptz not null default now()
);
create index side_calls_time on side_calls (created_at);

alter table turns add column duration_ms integer check (duration_ms >= 0);
create index turns_finished on turns (finished_at) where finished_at is not null;

-- The owner's own daily budget, in tokens; 0: none. Without a row that of the configuration holds.
create table budget_settings (
  only_row boolean primary key default true check (only_row),
  daily_tokens bigint not null check (daily_tokens >= 0)
);
