-- Companions of the owner's own beside the first one: what they are told, which tools they are offered (null: all that
-- their tier allows), how they are marked. A deleted one stays for what it said and drafted.
alter table agents
  add column instructions text not null default '' check (length(instructions) <= 8000),
  add column tools text[],
  add column color text,
  add column deleted_at timestamptz,
  add constraint agents_first_companion_stays check (slug <> 'companion' or deleted_at is null);

-- The model that the owner chose for one conversation, and whose it was before its companion went away.
alter table conversations
  add column model text,
  add column former_agent_id uuid references agents (id);
