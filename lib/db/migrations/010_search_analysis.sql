-- Passages say what analysis made them, so that those of an older one are found and made anew; a short passage is also
-- found, a little, by the words of its neighbours; conversations are searched; a ranking can be narrowed.

alter table chunks
  -- Revision and languages of the analysis. '' for rows from before this.
  add column analysis text not null default '',
  -- Of everything that `tsv` and `bm` were made of.
  add column fingerprint text not null default '';

-- As of the function with one argument, of a document that also holds .35 of the words of the passages beside it and
-- .175 of those one further away. Null: there are none.
create function bm25_vector(document tsvector, near tsvector, far tsvector) returns sparsevec
language sql immutable parallel safe as $$
  select ('{' || coalesce(string_agg(dimension || ':' || weight, ','), '') || '}/268435457')::sparsevec
  from (
    select
      ('x' || left(md5(lexeme), 7))::bit(28)::integer + 1 as dimension,
      sum(round(2.2 * times / (times + 1.2 * (.25 + .75 * words / 100)), 4)) as weight
    from (
      select lexeme, sum(times) as times, sum(sum(times)) over () as words
      from (
        select lexeme, cardinality(positions)::numeric as times
        from unnest(document)
        union all
        select lexeme, .35 * cardinality(positions)
        from unnest(near)
        union all
        select lexeme, .175 * cardinality(positions)
        from unnest(far)
      ) as occurrences
      group by lexeme
    ) as lexemes
    group by dimension
  ) as terms
$$;

-- What a Space's conversations were when they were indexed. Messages come in the middle of a turn, which must not wait
-- for an index; they are taken in a moment later.
create table indexed_conversations (
  conversation_id uuid primary key references conversations (id) on delete cascade,
  title text not null,
  upto uuid not null,
  analysis text not null
);

create function forget_deleted_conversation() returns trigger language plpgsql as $$
begin
  delete from chunks where entity_id = old.id and entity_type = 'conversation';
  delete from indexed_conversations where conversation_id = old.id;
  return null;
end $$;
create trigger conversations_deleted_are_not_found after update of deleted_at on conversations
  for each row when (new.deleted_at is not null and old.deleted_at is null)
  execute function forget_deleted_conversation();
create trigger conversations_purged_are_not_found after delete on conversations
  for each row execute function forget_deleted_conversation();

drop function rank_chunks(uuid[], text[], tsquery, sparsevec, integer, integer);

-- Passages in which `query` holds, best inner product first, no more of one entity than `per_entity`. `among` and
-- `without` narrow the entities (null: all, none); what was said in conversations counts `said` of its score. The
-- planner doesn't know what it costs to fetch every `tsv` for a sequential scan (31 ms instead of 5 at 10,000
-- passages), so that is ruled out here.
create function rank_chunks(
  spaces uuid[], kinds text[], query tsquery, vector sparsevec, per_entity integer, most integer,
  among uuid[], without uuid, said double precision
)
returns table (
  entity_type text, entity_id uuid, ordinal integer, title text, heading_path text[], text text,
  start_line integer, end_line integer, score double precision
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
  ), placed as (
    select *, row_number() over (partition by candidates.entity_id order by candidates.score desc, candidates.ordinal)
      as place
    from candidates
  ), best as (
    select *
    from placed
    where place <= per_entity
    order by score desc, entity_id, ordinal
    limit most
  )
  select c.entity_type, c.entity_id, c.ordinal, c.title, c.heading_path, c.text, c.start_line, c.end_line, best.score
  from best
  join chunks c on c.entity_id = best.entity_id and c.ordinal = best.ordinal
  where c.space_id = any(spaces)
  order by best.score desc, c.entity_id, c.ordinal
$$;

-- Entities that the ones in `hits` link to, each with its best passage: a fifth of the score of each hit that links
-- there, less where that one links to more than five. Each passage has `own`, its inner product, besides.
create function rank_linked(
  spaces uuid[], kinds text[], hits uuid[], scores double precision[], vector sparsevec, most integer,
  among uuid[], without uuid
)
returns table (
  entity_type text, entity_id uuid, ordinal integer, title text, heading_path text[], text text,
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
  select c.entity_type, c.entity_id, c.ordinal, c.title, c.heading_path, c.text, c.start_line, c.end_line,
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
