-- Search: passages of every entity with their words and BM25 weights, their embeddings, and the functions that weigh and
-- rank them.

-- BM25 is split into a document's side and a query's side, so that a score is an inner product: `bm` is the document's
-- side as a sparse vector with one dimension a lexeme, and `bm <#> query` ranks. `tsv` finds the candidates.
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
  -- Words of the messages beside this one; null for anything but a conversation.
  around tsvector,
  bm sparsevec(268435457) not null,
  -- The average length that `bm` was made with: passages of another one are weighed again.
  average_length integer not null default 100,
  -- Revision and languages of the analysis; passages of another one are indexed again. `deferred`: the text is too long to
  -- be indexed while it is written, and this is all there is of it so far.
  analysis text not null default '',
  -- Of everything that `tsv` and `bm` were made of.
  fingerprint text not null default '',
  -- Rises with every row written: whoever counts words reads on from the last revision it saw.
  revision bigint generated always as identity,
  primary key (entity_id, ordinal),
  check (end_line >= start_line)
  -- A question reads each candidate for its vector alone. Rows of at most 1,400 bytes put the text out of line before the
  -- vector would be compressed, and so 100,000 passages of 152 words take 112 MB instead of 192.
) with (toast_tuple_target = 1400);
alter table chunks
  alter column tsv set storage external,
  alter column bm set storage main,
  alter column entity_type set storage main,
  alter column title set storage main,
  alter column heading_path set storage main,
  alter column fingerprint set storage main,
  alter column analysis set storage main;
create index chunks_revision on chunks (space_id, revision);
create index chunks_first on chunks (space_id) where ordinal = 0;
create index chunks_deferred on chunks (entity_id) where analysis = 'deferred';

-- The index of words knows the Space of each passage by a lexeme that no text has: a question in a small Space does not
-- read what all Spaces hold of its words.
create function space_lexeme(space uuid) returns text
language sql immutable strict parallel safe
return 'space ' || space::text;

-- What is indexed: the words of a passage, and its Space.
create function words_in_space(words tsvector, space uuid) returns tsvector
language sql immutable parallel safe
return words || array_to_tsvector(array[space_lexeme(space)]);

-- A query that holds in passages of these Spaces alone.
create function within_spaces(query tsquery, spaces uuid[]) returns tsquery
language sql immutable parallel safe
return query && (select string_agg(quote_literal(space_lexeme(space)), ' | ')::tsquery from unnest(spaces) as space);

create index chunks_words_written on chunks using gin (words_in_space(tsv, space_id))
  with (fastupdate = off) where entity_type <> 'conversation';
-- Conversations are indexed some at a time: their words wait in a list until the batch is done (`mergeSaid`).
create index chunks_words_said on chunks using gin (words_in_space(tsv, space_id))
  with (fastupdate = on) where entity_type = 'conversation';
create index chunks_words_around on chunks using gin (words_in_space(around, space_id))
  with (fastupdate = on) where around is not null;

-- The average passage of a Space in words; without a row, 100.
create table passage_lengths (
  space_id uuid primary key references spaces (id) on delete cascade,
  average integer not null check (average > 0)
);

create function average_length(space uuid) returns integer
language sql stable parallel safe as $$
  select coalesce((select average from passage_lengths where space_id = space), 100)
$$;

-- Conversations are always weighed for passages of 100 words: a message counts a part of the messages beside it, which
-- the average of a Space leaves out.
create function average_length(space uuid, kind text) returns integer
language sql stable parallel safe as $$
  select case kind when 'conversation' then 100 else average_length(space) end
$$;

-- The document's side of BM25: k1 = 1.2, b = .75. A lexeme's dimension is 28 bits of its md5, which no version of Postgres
-- will change; two that fall together add up. The document also holds .35 of the words of the passages beside it (`near`)
-- and .175 of those one further away (`far`).
create function bm25_vector(document tsvector, near tsvector, far tsvector, average integer) returns sparsevec
language sql immutable parallel safe as $$
  select ('{' || coalesce(string_agg(dimension || ':' || weight, ','), '') || '}/268435457')::sparsevec
  from (
    select
      ('x' || left(md5(lexeme), 7))::bit(28)::integer + 1 as dimension,
      sum((2.2 * times / (times + 1.2 * (.25 + .75 * words / average)))::real) as weight
    from (
      select lexeme, sum(times) as times, sum(sum(times)) over () as words
      from (
        select lexeme, cardinality(positions)::float8 as times
        from unnest(document)
        union all
        select lexeme, .35::float8 * cardinality(positions)
        from unnest(near)
        union all
        select lexeme, .175::float8 * cardinality(positions)
        from unnest(far)
      ) as occurrences
      group by lexeme
    ) as lexemes
    group by dimension
  ) as terms
$$;

-- Passages in which `query` holds, best inner product first, no more of one entity than `per_entity`. `kinds`, `among` and
-- `without` narrow the entities (null: all, all, none). Conversations count `said` of their score; with less than 1, up to
-- `most` of them are given beside `most` others, so that no number of messages keeps a page out. Only the foremost `head`
-- of each (null: all) are looked at; `looked_at` is how many of the others these were. `by_entity`: `most` counts entities.
--
-- PL/pgSQL with a generic plan, so that it is planned once a connection: whatever is asked, the candidates come from the
-- indexes. The planner does not know what fetching every `tsv` for a sequential scan costs, so that is ruled out.
create function rank_chunks(
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
      select c.entity_id, c.ordinal, said < 1 as aside, -(c.bm <#> vector) * said as score
      from chunks c
      where (words_in_space(c.tsv, c.space_id) @@ query or words_in_space(c.around, c.space_id) @@ query)
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

-- Entities that those in `hits` link to, each with its best passage: a fifth of the score of each hit that links there,
-- less where that one links to more than five. `own` is the passage's own inner product.
create function rank_linked(
  spaces uuid[], kinds text[], hits uuid[], scores double precision[], vector sparsevec, most integer,
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

-- Conversations as they were when they were indexed, which happens once they are quiet.
create table indexed_conversations (
  conversation_id uuid primary key references conversations (id) on delete cascade,
  title text not null,
  -- The last message.
  upto uuid not null,
  -- As in `chunks`.
  analysis text not null,
  average_length integer not null default 100
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

-- One model answers questions; another may be built beside it, and takes its place when it has embedded everything.
create table embedding_models (
  id integer primary key generated always as identity,
  provider text not null,
  url text not null,
  model text not null,
  -- Null until its first answer.
  dimensions integer check (dimensions between 1 and 4000),
  complete boolean not null default false,
  -- How much meaning counts beside words, as `npm run eval:search -- --own` chose it on the owner's notes. Null: not
  -- measured; 0: it brings nothing and is not asked.
  share double precision check (share between 0 and 1),
  ndcg_words double precision,
  ndcg_meaning double precision,
  measured_questions integer,
  measured_at timestamptz,
  created_at timestamptz not null default now(),
  unique (provider, url, model)
);

-- A passage that is written again has none until the next round.
create table embeddings (
  entity_id uuid not null,
  ordinal integer not null,
  model_id integer not null references embedding_models (id),
  vec halfvec not null,
  primary key (entity_id, ordinal, model_id),
  foreign key (entity_id, ordinal) references chunks (entity_id, ordinal) on delete cascade
);
create index embeddings_model on embeddings (model_id);
-- Read for every candidate of an exact ranking.
alter table embeddings alter column vec set storage plain;
