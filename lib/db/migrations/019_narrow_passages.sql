-- Every candidate of a question is read for its vector alone, so a row that holds little else is read from fewer pages:
-- 112 MB instead of 192 for 100,000 passages of 152 words, which is less than the embedded database keeps in memory.
-- Rows of 1,400 bytes let the text go before the vector would be compressed. Passages that are there already become
-- narrow when they are indexed anew.
alter table chunks
  alter column entity_type set storage main,
  alter column title set storage main,
  alter column heading_path set storage main,
  alter column fingerprint set storage main,
  alter column analysis set storage main,
  set (toast_tuple_target = 1400);

drop function rank_chunks(uuid[], text[], tsquery, sparsevec, integer, integer, uuid[], uuid, double precision);

-- As before, but only the foremost `head` passages (null: all) are sorted by their entities, which took a third of the
-- time. `looked_at` is how many these were: with fewer than `head` there are no others.
create function rank_chunks(
  spaces uuid[], kinds text[], query tsquery, vector sparsevec, per_entity integer, most integer,
  among uuid[], without uuid, said double precision, head integer
)
returns table (
  entity_type text, entity_id uuid, ordinal integer, title text, heading_path text[], text text,
  start_line integer, end_line integer, score double precision, looked_at integer
)
language sql stable set enable_seqscan = off as $$
  with candidates as (
    select c.entity_id, c.ordinal,
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
  ), best as (
    select *
    from placed
    where place <= per_entity
    order by score desc, entity_id, ordinal
    limit most
  )
  select c.entity_type, c.entity_id, c.ordinal, c.title, c.heading_path, c.text, c.start_line, c.end_line, best.score,
    best.looked_at::integer
  from best
  join chunks c on c.entity_id = best.entity_id and c.ordinal = best.ordinal
  where c.space_id = any(spaces)
  order by best.score desc, c.entity_id, c.ordinal
$$;
