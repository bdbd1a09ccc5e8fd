-- Passages of every entity, ready to be ranked. BM25 splits into a document's side and a query's side, so a score is
-- an inner product: `bm` holds the document's side as a sparse vector with one dimension a lexeme, and
-- `bm <#> query` ranks. `tsv` finds the candidates.

create table chunks (
  space_id uuid not null references spaces (id),
  entity_type text not null,
  entity_id uuid not null,
  ordinal integer not null check (ordinal >= 0),
  title text not null,
  heading_path text[] not null default '{}',
  text text not null,
  start_line integer not null check (start_line > 0),
  end_line integer not null,
  tsv tsvector not null,
  bm sparsevec(268435457) not null,
  -- Grows with every row written: whoever counts terms reads on from the last revision it saw.
  revision bigint generated always as identity,
  primary key (entity_id, ordinal),
  check (end_line >= start_line)
);
-- Read for every candidate: uncompressed out of line, or compressed in the row.
alter table chunks alter column tsv set storage external;
alter table chunks alter column bm set storage main;
create index chunks_terms on chunks using gin (tsv) with (fastupdate = off);
create index chunks_revision on chunks (space_id, revision);
create index chunks_first on chunks (space_id) where ordinal = 0;

-- The document's side of BM25: k1 = 1.2, b = .75, and an average length taken to be 100 words, which is what passages
-- of 1,200 characters have. A lexeme's dimension is 28 bits of its md5, which no version of Postgres will change; two
-- lexemes that fall together add up.
create function bm25_vector(document tsvector) returns sparsevec
language sql immutable parallel safe as $$
  select ('{' || coalesce(string_agg(dimension || ':' || weight, ','), '') || '}/268435457')::sparsevec
  from (
    select
      ('x' || left(md5(lexeme), 7))::bit(28)::integer + 1 as dimension,
      sum(round(2.2 * times / (times + 1.2 * (.25 + .75 * words / 100)), 4)) as weight
    from (
      select lexeme, cardinality(positions) as times, sum(cardinality(positions)) over () as words
      from unnest(document)
    ) as lexemes
    group by dimension
  ) as terms
$$;

-- Passages in which `query` holds, best inner product first, no more of one entity than `per_entity`. The planner
-- doesn't know what it costs to fetch every `tsv` for a sequential scan (31 ms instead of 5 at 10,000 passages), so
-- that is ruled out here.
create function rank_chunks(
  spaces uuid[], kinds text[], query tsquery, vector sparsevec, per_entity integer, most integer
)
returns table (
  entity_type text, entity_id uuid, ordinal integer, title text, heading_path text[], text text,
  start_line integer, end_line integer, score double precision
)
language sql stable set enable_seqscan = off as $$
  with candidates as (
    select c.entity_id, c.ordinal, -(c.bm <#> vector) as score
    from chunks c
    where c.tsv @@ query
      and c.space_id = any(spaces)
      and (kinds is null or c.entity_type = any(kinds))
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
