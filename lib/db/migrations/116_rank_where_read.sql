-- A question costs what ranking its candidates costs. They are ranked where they are read now, instead of being set aside
-- to be read twice, once for what is ranked and once for messages: a third less at 7,000 candidates on Postgres 17. And
-- the statement is planned once for a connection, not for each question.

-- What was said, by its own words.
create index if not exists chunks_said on chunks using gin (tsv) with (fastupdate = off)
  where entity_type = 'conversation';

-- As before. A generic plan: whatever is asked, the candidates come from the indexes.
create or replace function rank_chunks(
  spaces uuid[], kinds text[], query tsquery, vector sparsevec, per_entity integer, most integer,
  among uuid[], without uuid, said double precision, head integer, by_entity boolean
)
returns table (
  space_id uuid, entity_type text, entity_id uuid, ordinal integer, title text, heading_path text[], text text,
  start_line integer, end_line integer, score double precision, looked_at integer
)
language plpgsql stable set enable_seqscan = off set plan_cache_mode = force_generic_plan as $$
#variable_conflict use_column
begin
  return query
  with foremost as (
    (
      select c.entity_id, c.ordinal, false as aside, -(c.bm <#> vector) as score
      from chunks c
      where c.tsv @@ query
        and c.entity_type <> 'conversation'
        and c.space_id = any(spaces)
        and (kinds is null or c.entity_type = any(kinds))
        and (among is null or c.entity_id in (select unnest(among)))
        and (without is null or c.entity_id <> without)
      order by score desc, c.entity_id, c.ordinal
      limit head
    )
    union all
    (
      select c.entity_id, c.ordinal, said < 1 as aside, -(c.bm <#> vector) * said as score
      from chunks c
      where (c.tsv @@ query or c.around @@ query)
        and c.entity_type = 'conversation'
        and c.space_id = any(spaces)
        and (kinds is null or c.entity_type = any(kinds))
        and (among is null or c.entity_id in (select unnest(among)))
        and (without is null or c.entity_id <> without)
      order by score desc, c.entity_id, c.ordinal
      limit head
    )
  ), placed as (
    select *, count(*) filter (where not aside) over () as looked_at,
      row_number() over (partition by foremost.entity_id order by foremost.score desc, foremost.ordinal) as place
    from foremost
  ), counted as (
    select *,
      row_number() over (partition by aside, by_entity and place > 1 order by score desc, entity_id, ordinal) as rank
    from placed
    where place <= per_entity
  ), best as (
    select *
    from counted
    where case when by_entity
      then entity_id in (select entity_id from counted where place = 1 and rank <= most)
      else rank <= most
    end
  )
  select c.space_id, c.entity_type, c.entity_id, c.ordinal, c.title, c.heading_path, c.text, c.start_line, c.end_line,
    best.score, best.looked_at::integer
  from best
  join chunks c on c.entity_id = best.entity_id and c.ordinal = best.ordinal
  where c.space_id = any(spaces)
  order by best.score desc, c.entity_id, c.ordinal;
end
$$;
