-- The activity narrowed to an agent, a tool or a kind is read along these instead of past everything else.
create index tool_calls_agent_time on tool_calls (agent_id, created_at desc);
create index tool_calls_name_time on tool_calls (name, created_at desc);
create index tool_calls_entity_time on tool_calls (entity_type, created_at desc) where entity_type is not null;
