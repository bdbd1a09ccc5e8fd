-- What is looked at first is counted without what is ranked beside it: in a Space of few pages and many messages these
-- took every place, and each question ranked all passages.

-- Passages in which `query` holds, best inner product first, no more of one entity than `per_entity`. What was said in
-- conversations counts `said` of its score; with less than 1, up to `most` are given beside `most` others. `by_entity`:
-- `most` counts entities. Otherwise as before.
create or replace function rank_chunks(
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
    where (c.tsv @@ query or c.around @@ query)
      and c.space_id = any(spaces)
      and (kinds is null or c.entity_type = any(kinds))
      and (among is null or c.entity_id in (select unnest(among)))
      and (without is null or c.entity_id <> without)
  ), foremost as (
    (
      select *
      from candidates
      where not candidates.aside
      order by candidates.score desc, candidates.entity_id, candidates.ordinal
      limit head
    )
    union all
    (
      select *
      from candidates
      where candidates.aside
      order by candidates.score desc, candidates.entity_id, candidates.ordinal
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
  order by best.score desc, c.entity_id, c.ordinal
$$;
