-- What tools of sources answered: text from outside, as it came, for the turn that asked and for its citations.
create table tool_results (
  id uuid primary key,
  space_id uuid not null references spaces (id),
  source_id uuid references sources (id) on delete set null,
  source_name text not null,
  tool text not null,
  arguments text not null,
  text text not null check (octet_length(text) <= 1048576),
  cut boolean not null,
  failed boolean not null,
  agent_id uuid not null references agents (id),
  turn_id uuid references turns (id),
  tool_use_id text,
  -- The file that the owner made of it.
  kept_as uuid,
  created_at timestamptz not null
);
create index tool_results_turn on tool_results (turn_id) where turn_id is not null;
create index tool_results_source on tool_results (source_id) where source_id is not null;

create function tool_result_is_fixed() returns trigger language plpgsql as $$
begin
  if (new.space_id, new.source_name, new.tool, new.arguments, new.text, new.turn_id)
     is distinct from (old.space_id, old.source_name, old.tool, old.arguments, old.text, old.turn_id) then
    raise exception 'a stored tool result never changes' using errcode = 'check_violation';
  end if;
  return new;
end $$;
create trigger tool_results_are_fixed before update on tool_results
  for each row execute function tool_result_is_fixed();
