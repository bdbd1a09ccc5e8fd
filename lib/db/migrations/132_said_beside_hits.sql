-- A short message is also known by the words of the three to either side of it. An index of those was two thirds of the
-- time that indexing a conversation takes. They are looked for beside the passages that hold the words themselves now:
-- whatever has them from its neighbours has such a neighbour, and its vector says what they count there. `around` stays,
-- and empty, for servers of the version before.

-- Whether its neighbours' words are among those of its vector; null: not known.
alter table chunks add column if not exists is_short boolean;

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
declare
  -- Neighbours do not hold a phrase.
  reach integer := case when query::text like '%'' <%' then 0 else 3 end;
begin
  return query
  with heard as (
    select c.entity_id, c.ordinal, -(c.bm <#> vector) * said as score
    from chunks c
    where words_in_space(c.tsv, c.space_id) @@ query
      and c.entity_type = 'conversation'
      and c.space_id = any(spaces)
      and (kinds is null or c.entity_type = any(kinds))
      and (among is null or c.entity_id in (select unnest(among)))
      and (without is null or c.entity_id <> without)
    order by score desc, c.entity_id, c.ordinal
    limit head
  ), beside as (
    select heard.entity_id, heard.ordinal + step as ordinal
    from heard
    join unnest(array[-1, 1, -2, 2, -3, 3]) as step on abs(step) <= reach
    except
    select heard.entity_id, heard.ordinal
    from heard
  ), foremost as (
    (
      select c.entity_id, c.ordinal, false as aside, -(c.bm <#> vector) as score
      from chunks c
      where words_in_space(c.tsv, c.space_id) @@ query
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
      select spoken.entity_id, spoken.ordinal, said < 1 as aside, spoken.score
      from (
        select * from heard
        union all
        select c.entity_id, c.ordinal, weighed.score
        from beside
        join chunks c on c.entity_id = beside.entity_id and c.ordinal = beside.ordinal
        cross join lateral (select -(c.bm <#> vector) * said as score offset 0) as weighed
        where c.is_short is not false and weighed.score > 0
      ) as spoken
      order by score desc, spoken.entity_id, spoken.ordinal
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

drop index if exists chunks_words_around;
