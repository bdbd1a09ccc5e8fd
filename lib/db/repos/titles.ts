import type { Kind } from '../../contract/entities/kind.ts'
import type { Suggestion } from '../../contract/space/search.ts'
import type { Queryable } from '../pool.ts'

type TitleQuery = {
  space_ids: readonly string[]
  /** What is asked for, on one line: a title that holds it as it is written need not have the words. */
  text: string
  /** Lower-case words of letters and digits only; every one begins a word of the title. */
  words: readonly string[]
  limit: number
}

/** Titles across kinds, for whoever is still typing. */
export function createTitlesRepo(db: Queryable) {
  return {
    /**
     * The title that is the text first, then those that begin with it, those that begin with the first word, the shorter and
     * the newer ones.
     */
    async suggest(kinds: readonly Kind[], query: TitleQuery): Promise<Suggestion[]> {
      const each = kinds.map(
        ({ table, type }) => `select space_id, '${type}' as entity_type, id as entity_id, title, updated_at
         from ${table}
         where space_id = any($1::uuid[])
           and deleted_at is null
           and lower(title) like all($2::text[])
           and lower(title) ~ all($3::text[])
           and (cardinality($2::text[]) > 0 or strpos(lower(title), $6) > 0)`,
      )
      const { rows } = await db.query<Suggestion>(
        `select space_id, entity_type, entity_id, title, updated_at
         from (${each.join(' union all ')}) as found
         order by lower(title) = $6 desc, starts_with(lower(title), $6) desc, lower(title) ~ $4 desc, length(title),
           updated_at desc, entity_id
         limit $5`,
        [...valuesOf(query), query.text.toLowerCase()],
      )
      return rows
    },

    /** As `suggest`, by the other names that pages and their like give themselves. */
    async suggestAliases(kinds: readonly Kind[], query: TitleQuery): Promise<Suggestion[]> {
      const each = kinds.map(
        ({
          table,
          type,
        }) => `select entity_names.space_id, '${type}' as entity_type, entity_id, title, name, updated_at
         from entity_names
         join ${table} on ${table}.space_id = entity_names.space_id and ${table}.id = entity_names.entity_id
         where entity_names.space_id = any($1::uuid[])
           and entity_type = '${type}'
           and source = 'alias'
           and not hidden
           and name like all($2::text[])
           and name ~ all($3::text[])
           and deleted_at is null`,
      )
      const { rows } = await db.query<Suggestion>(
        `select space_id, entity_type, entity_id, title, name as alias, updated_at
         from (${each.join(' union all ')}) as found
         order by name ~ $4 desc, length(name), entity_id
         limit $5`,
        valuesOf(query),
      )
      return rows
    },

    /** Those of the ids that exist, in their order. */
    async listByIds(
      kinds: readonly Kind[],
      { space_ids, ids }: { space_ids: readonly string[]; ids: readonly string[] },
    ): Promise<Suggestion[]> {
      if (ids.length === 0) return []
      const each = kinds.map(
        ({ table, type }) => `select space_id, '${type}' as entity_type, id as entity_id, title, updated_at
         from ${table}
         where space_id = any($1::uuid[]) and deleted_at is null and id = any($2::uuid[])`,
      )
      const { rows } = await db.query<Suggestion>(
        `select space_id, entity_type, entity_id, title, updated_at
         from (${each.join(' union all ')}) as found
         order by array_position($2::uuid[], entity_id)`,
        [space_ids, ids],
      )
      return rows
    },

    /** What changed last. */
    async recent(
      kinds: readonly Kind[],
      { space_ids, limit }: Pick<TitleQuery, 'space_ids' | 'limit'>,
    ): Promise<Suggestion[]> {
      const each = kinds.map(
        ({ table, type }) => `(select space_id, '${type}' as entity_type, id as entity_id, title, updated_at
         from ${table}
         where space_id = any($1::uuid[]) and deleted_at is null
         order by updated_at desc, id desc
         limit $2)`,
      )
      const { rows } = await db.query<Suggestion>(
        `select space_id, entity_type, entity_id, title, updated_at
         from (${each.join(' union all ')}) as found
         order by updated_at desc, entity_id
         limit $2`,
        [space_ids, limit],
      )
      return rows
    },
  }
}

const valuesOf = ({ space_ids, words, limit }: TitleQuery) => [
  space_ids,
  // Cheap, and rules most titles out before the regular expressions are tried.
  words.map((word) => `%${word}%`),
  // Not `\m`, for which an underscore is a letter.
  words.map((word) => `(?:^|[^[:alnum:]])${word}`),
  `^${words[0] ?? ''}`,
  limit,
]
