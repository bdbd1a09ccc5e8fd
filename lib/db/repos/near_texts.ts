import type { Queryable } from '../pool.ts'

export type NearQuery = {
  space_id: string
  entity_types: readonly string[]
  /** Analysed words, with single spaces. */
  phrases: readonly string[]
  /** Text search configurations, those of the passages. */
  languages: readonly string[]
  limit: number
}

/**
 * The entities in whose passages most of the phrases stand, then those whose passages have most of the words in
 * common with them; conversations are none. For a caller inside a transaction.
 */
export async function findNearTexts(
  tx: Queryable,
  query: NearQuery,
): Promise<{ entity_type: string; entity_id: string }[]> {
  const { rows } = await tx.query<{ entity_type: string; entity_id: string }>(
    `with configured as materialized (
       select language::regconfig as config
       from unnest($4::text[]) as given (language)
     ), phrases as materialized (
       select phrase, string_agg(query::text, ' | ')::tsquery as query
       from unnest($3::text[]) as given (phrase)
       cross join configured
       cross join lateral phraseto_tsquery(config, phrase) as query
       where numnode(query) > 0
       group by phrase
     ), asked as materialized (
       select
         (select string_agg(distinct quote_literal(lexeme), ' | ')::tsquery
          from configured
          cross join lateral unnest(to_tsvector(config, all_of))) as query,
         bm25_vector(to_tsvector((select config from configured limit 1), all_of), '', '', average_length($1)) as vector
       from array_to_string($3::text[], ' ') as all_of
     ), exact as (
       select c.entity_type, c.entity_id, 0 as place, -count(distinct phrase)::double precision as distance
       from phrases
       join chunks c on words_in_space(c.tsv, c.space_id) @@ within_spaces(phrases.query, array[$1::uuid])
       where c.space_id = $1 and c.entity_type = any($2) and c.entity_type <> 'conversation'
       group by c.entity_type, c.entity_id
       order by distance
       limit $5
     ), near as (
       select c.entity_type, c.entity_id, 1 as place, c.bm <#> asked.vector as distance
       from asked
       join chunks c on words_in_space(c.tsv, c.space_id) @@ within_spaces(asked.query, array[$1::uuid])
       where c.space_id = $1 and c.entity_type = any($2) and c.entity_type <> 'conversation'
       order by distance
       limit $5 * 3
     )
     select entity_type, entity_id
     from (select * from exact union all select * from near) as found
     group by entity_type, entity_id
     order by min(place), min(distance), entity_id
     limit $5`,
    [query.space_id, query.entity_types, query.phrases, query.languages, query.limit],
  )
  return rows
}
