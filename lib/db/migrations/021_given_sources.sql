-- What a tool result gave the model to read, as the tool declared it. For older results it is read off the sources that
-- their blocks name.
alter table turn_steps add column given json;

update turn_steps
set given = coalesce(
  (select json_agg(distinct jsonb_build_object(
       'entity_type', source[1], 'entity_id', source[2], 'title', '', 'given_by', 'read'))
   from regexp_matches(content, '"source":"void://([a-z_]{1,40})/([0-9a-f-]{36})', 'g') as source),
  '[]'::json)
where role = 'user';
