-- An agent with a token of its own also asks for what is of no one Space: the list of Spaces, a search in all of them.
alter table tool_calls alter column space_id drop not null;
