-- A name that an entity had, for links which its rename could not rewrite. Anything else of that name comes before it.
alter table entity_names drop constraint entity_names_source_check;
alter table entity_names add constraint entity_names_source_check
  check (source in ('title', 'alias', 'path', 'former'));
