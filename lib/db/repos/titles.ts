import type { Suggestion } from '../../contract/space/suggest.ts'
import type { Kind } from '../../entities/kind.ts'
import type { Queryable } from '../pool.ts'

export type TitleQuery = {
  space_ids: readonly string[]
  /** Lower-case words of letters and digits only; every one begins a word of the title. */
  words: readonly string[]
  limit: number
}

/** Titles across kinds, for whoever is still typing. */
export function createTitlesRepo(db: Queryable) {
  return {
    /** Titles that begin with the first word first, then the shorter, then the newer ones. */
    async suggest(kinds: readonly Kind[], query: TitleQuery): Promise<Suggestion[]> {
      const each = kinds.map(
        ({ table, type }) => `select space_id, '${type}' as entity_type, id as entity_id, title, updated_at
         from ${table}
         where space_id = any($1::uuid[])
           and deleted_at is null
           and lower(title) like all($2::text[])
           and lower(title) ~ all($3::text[])`,
      )
      const { rows } = await db.query<Suggestion>(
        `select space_id, entity_type, entity_id, title, updated_at
         from (${each.join(' union all ')}) as found
         order by lower(title) ~ $4 desc, length(title), updated_at desc, entity_id
         limit $5`,
        valuesOf(query),
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

    /** What changed last. */
    async recent(
      kinds: readonly Kind[],
      { space_ids, limit }: Omit<TitleQuery, 'words'>,
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
  words.map((word) => `\\m${word}`),
  `^${words[0] ?? ''}`,
  limit,
]
