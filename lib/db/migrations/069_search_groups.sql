-- Conversations are ranked apart from what is written down, so that no number of them keeps a page out; a ranking can
-- be of entities, each with its best passages; and every passage names its Space.

drop function rank_chunks(
  uuid[], text[], tsquery, sparsevec, integer, integer, uuid[], uuid, double precision, integer
);
drop function rank_linked(uuid[], text[], uuid[], double precision[], sparsevec, integer, uuid[], uuid);

-- Passages in which `query` holds, best inner product first, no more of one entity than `per_entity`. What was said in
-- conversations counts `said` of its score; with less than 1, up to `most` are given beside `most` others. `by_entity`:
-- `most` counts entities. Otherwise as before.
create function rank_chunks(
  spaces uuid[], kinds text[], query tsquery, vector sparsevec, per_entity integer, most integer,
  among uuid[], without uuid, said double precision, head integer, by_entity boolean
)
returns table (
  space_id uuid, entity_type text, entity_id uuid, ordinal integer, title text, heading_path text[], text text,
  start_line integer, end_line integer, score double precision, looked_at integer
)
language sql stable set enable_seqscan = off as $$
  with candidates as (
    select c.entity_id, c.ordinal, c.entity_type = 'conversation' and said < 1 as aside,
      -(c.bm <#> vector) * case c.entity_type when 'conversation' then said else 1 end as score
    from chunks c
    where c.tsv @@ query
      and c.space_id = any(spaces)
      and (kinds is null or c.entity_type = any(kinds))
      and (among is null or c.entity_id in (select unnest(among)))
      and (without is null or c.entity_id <> without)
  ), foremost as (
    select *
    from candidates
    order by candidates.score desc, candidates.entity_id, candidates.ordinal
    limit head
  ), placed as (
    select *, count(*) over () as looked_at,
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
  order by best.score desc, c.entity_id, c.ordinal
$$;

-- As before, with the Space.
create function rank_linked(
  spaces uuid[], kinds text[], hits uuid[], scores double precision[], vector sparsevec, most integer,
  among uuid[], without uuid
)
returns table (
  space_id uuid, entity_type text, entity_id uuid, ordinal integer, title text, heading_path text[], text text,
  start_line integer, end_line integer, own double precision, score double precision
)
language sql stable set enable_seqscan = off as $$
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
  order by targets.given desc, c.entity_id
$$;
