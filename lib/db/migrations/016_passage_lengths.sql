-- BM25 sets the length of a passage against the average of its Space, 100 words where nothing else is known. Each
-- passage says which average its vector was made with, so that those of another one are found and weighed anew.

create table passage_lengths (
  space_id uuid primary key references spaces (id) on delete cascade,
  average integer not null check (average > 0)
);

alter table chunks add column average_length integer not null default 100;
alter table indexed_conversations add column average_length integer not null default 100;

-- What passages of a Space are to be set against.
create function average_length(space uuid) returns integer
language sql stable parallel safe as $$
  select coalesce((select average from passage_lengths where space_id = space), 100)
$$;

drop function bm25_vector(tsvector);
drop function bm25_vector(tsvector, tsvector, tsvector);

-- The document's side of BM25: k1 = 1.2, b = .75. A lexeme's dimension is 28 bits of its md5; two that fall together
-- add up. The document also holds .35 of the words of the passages beside it and .175 of those one further away.
create function bm25_vector(document tsvector, near tsvector, far tsvector, average integer) returns sparsevec
language sql immutable parallel safe as $$
  select ('{' || coalesce(string_agg(dimension || ':' || weight, ','), '') || '}/268435457')::sparsevec
  from (
    select
      ('x' || left(md5(lexeme), 7))::bit(28)::integer + 1 as dimension,
      sum(round(2.2 * times / (times + 1.2 * (.25 + .75 * words / average)), 4)) as weight
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
