-- Entities that those in `hits` link to and that are not `known`, each with its best passage: at most a fifth of the score
-- of the best hit that links there, less where that one links to more than five. `own` is the passage's own inner product.
-- The function without `known` stays for servers of the version before.
create function rank_linked(
  spaces uuid[], kinds text[], hits uuid[], scores double precision[], known uuid[], vector sparsevec, most integer,
  among uuid[], without uuid
)
returns table (
  space_id uuid, entity_type text, entity_id uuid, ordinal integer, title text, heading_path text[], text text,
  start_line integer, end_line integer, own double precision, score double precision
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
    select pairs.to_id, max(.2 * hit.score * least(1, 5.0 / out.links)) as given
    from pairs
    join unnest(hits, scores) as hit (id, score) on hit.id = pairs.from_id
    join (select from_id, count(*) as links from pairs group by from_id) as out on out.from_id = pairs.from_id
    where pairs.to_id <> all(known)
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

-- Passages in which `query` holds, best inner product first, no more of one entity than `per_entity`. `kinds`, `among` and
-- `without` narrow the entities (null: all, all, none). Conversations count `said` of their score; with less than 1, up to
-- `most` of them are given beside `most` others, so that no number of messages keeps a page out. Only the foremost `head`
-- of each (null: all) are looked at; `looked_at` is how many of the others these were. `by_entity`: `most` counts entities.
--
-- Equal scores go to what was written last: revisions rise with ordinals, so that passages of one write are of one age.
--
-- PL/pgSQL with a generic plan, so that it is planned once a connection: whatever is asked, the candidates come from the
-- indexes. The planner does not know what fetching every `tsv` for a sequential scan costs, so that is ruled out.
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
      select c.entity_id, c.ordinal, c.revision - c.ordinal as age, false as aside, -(c.bm <#> vector) as score
      from chunks c
      where words_in_space(c.tsv, c.space_id) @@ query
        and c.entity_type <> 'conversation'
        and c.space_id = any(spaces)
        and (kinds is null or c.entity_type = any(kinds))
        and (among is null or c.entity_id in (select unnest(among)))
        and (without is null or c.entity_id <> without)
      order by score desc, age desc, c.entity_id, c.ordinal
      limit head
    )
    union all
    (
      select c.entity_id, c.ordinal, c.revision - c.ordinal as age, said < 1 as aside,
        -(c.bm <#> vector) * said as score
      from chunks c
      where (words_in_space(c.tsv, c.space_id) @@ query or words_in_space(c.around, c.space_id) @@ query)
        and c.entity_type = 'conversation'
        and c.space_id = any(spaces)
        and (kinds is null or c.entity_type = any(kinds))
        and (among is null or c.entity_id in (select unnest(among)))
        and (without is null or c.entity_id <> without)
      order by score desc, age desc, c.entity_id, c.ordinal
      limit head
    )
  ), placed as (
    select *, count(*) filter (where not aside) over () as looked_at,
      row_number() over (partition by foremost.entity_id order by foremost.score desc, foremost.ordinal) as place
    from foremost
  ), counted as (
    select *,
      row_number() over (partition by aside, by_entity and place > 1 order by score desc, age desc, entity_id, ordinal) as rank
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
  order by best.score desc, best.age desc, c.entity_id, c.ordinal;
end
$$;
