-- How much a companion's model thinks, and what else model servers were found to take.

alter table agents
  add column thinking text not null default 'auto' check (thinking in ('auto', 'off', 'low', 'medium', 'high'));

-- Null: not known.
alter table model_servers
  add column thinks boolean,
  add column obeys_tool_choice boolean,
  add column calls_of_many boolean,
  add column counts_tokens boolean,
  -- Parts of a request that it refused by name.
  add column refused text[] not null default '{}',
  -- The longest answer that it named in refusing a longer one, in tokens.
  add column max_tokens integer check (max_tokens > 0);
