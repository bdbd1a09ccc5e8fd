-- Planning took four fifths of the time of this function: a function in SQL is planned anew by each statement that
-- calls it, one in PL/pgSQL once for a session.

create or replace function rank_linked(
  spaces uuid[], kinds text[], hits uuid[], scores float8[], vector sparsevec, most integer, among uuid[], without uuid
) returns table (
  space_id uuid, entity_type text, entity_id uuid, ordinal integer, title text, heading_path text[], text text,
  start_line integer, end_line integer, own float8, score float8
)
language plpgsql stable set enable_seqscan = off set plan_cache_mode = force_generic_plan as $$
#variable_conflict use_column
begin
  return query
  with pairs as (
    select distinct l.from_id, l.to_id
    from links l
    where l.from_id = any(hits) and l.space_id = any(spaces) and l.to_id is not null and l.to_id <> l.from_id
  ), targets as (
    select pairs.to_id, sum(.2 * hit.score * least(1, 5.0 / out.links)) as given
    from pairs
    join unnest(hits, scores) as hit (id, score) on hit.id = pairs.from_id
    join (select from_id, count(*) as links from pairs group by from_id) as out on out.from_id = pairs.from_id
    group by pairs.to_id
    order by given desc, pairs.to_id
    limit most
  )
  select c.space_id, c.entity_type, c.entity_id, c.ordinal, c.title, c.heading_path, c.text, c.start_line, c.end_line,
    c.own, targets.given
  from targets
  cross join lateral (
    select *, -(chunks.bm <#> vector) as own
    from chunks
    where chunks.entity_id = targets.to_id
      and chunks.space_id = any(spaces)
      and (kinds is null or chunks.entity_type = any(kinds))
      and (among is null or chunks.entity_id in (select unnest(among)))
      and (without is null or chunks.entity_id <> without)
    order by own desc, chunks.ordinal
    limit 1
  ) as c
  order by targets.given desc, c.entity_id;
end
$$;
