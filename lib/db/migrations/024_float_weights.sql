-- As before, but in floating point: with exact decimals, weighing a passage took twice as long. The weights of passages
-- that are stored already differ by less than their rounding.
create or replace function bm25_vector(document tsvector, near tsvector, far tsvector, average integer)
returns sparsevec
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
