import type { Kind } from '../../contract/entities/kind.ts'
import { maxCounted } from '../../contract/limits.ts'
import type { FoundPage, TreePage } from '../../contract/space/pages.ts'
import type { Suggestion } from '../../contract/space/search.ts'
import type { Queryable } from '../pool.ts'

/** The pages of a Space by their place below one another. A page whose parent is in the trash stands at the top. */
export function createPageTreeRepo(db: Queryable) {
  return {
    /** The pages above one, and itself: the levels that are open when it is shown. Empty when there is no such page. */
    async listPath(spaceId: string, id: string): Promise<string[]> {
      const { rows } = await db.query<{ id: string }>(
        `with recursive above (id, parent_id) as (
           select id, parent_id from pages where space_id = $1 and id = $2 and deleted_at is null
           union
           select next.id, next.parent_id
           from pages next
           join above on next.id = above.parent_id
           where next.space_id = $1 and next.deleted_at is null
         )
         select id from above`,
        [spaceId, id],
      )
      return rows.map((row) => row.id)
    },

    /** The pages above each of these with their titles, from the top. */
    async listAbove(spaceId: string, ids: readonly string[]): Promise<Map<string, FoundPage['above']>> {
      const { rows } = await db.query<{ below: string; id: string; title: string }>(
        `with recursive above (below, id, title, parent_id, steps) as (
           select pages.id, parent.id, parent.title, parent.parent_id, 1
           from pages
           join pages parent on parent.id = pages.parent_id and parent.deleted_at is null
           where pages.space_id = $1 and pages.id = any($2)
           union
           select above.below, next.id, next.title, next.parent_id, steps + 1
           from pages next
           join above on next.id = above.parent_id
           where next.space_id = $1 and next.deleted_at is null
         )
         select below, id, title from above order by steps desc`,
        [spaceId, ids],
      )
      const byPage = Map.groupBy(rows, ({ below }) => below)
      return new Map(ids.map((id) => [id, (byPage.get(id) ?? []).map(({ below: _, ...page }) => page)]))
    },

    /** The pages whose title holds a text in any case, those that begin with it first. */
    async listTitled(spaceId: string, text: string, limit: number): Promise<TreePage[]> {
      const { rows } = await db.query<TreePage>(
        `select ${columns}
         from pages
         where space_id = $1 and deleted_at is null and strpos(lower(title), lower($2)) > 0
         order by strpos(lower(title), lower($2)) > 1, lower(title), id
         limit $3`,
        [spaceId, text, limit],
      )
      return rows
    },

    /** The pages at the top, in order, at most `limit`; behind the page `after`. */
    async listTop(spaceId: string, limit: number, after: string | null = null): Promise<TreePage[]> {
      const { rows } = await db.query<TreePage>(
        `select ${columns}
         from (${pagesAtTop({ limit: '$2', where: behind('$3') })}) as pages
         where space_id = $1
         order by ${byPlace}
         limit $2`,
        [spaceId, limit, after],
      )
      return rows.map((row) => ({ ...row, parent_id: null }))
    },

    /** The pages right below the given ones, in order, at most `limit` below each; behind the page `after`. */
    async listBelow(
      spaceId: string,
      parentIds: readonly string[],
      limit: number,
      after: string | null = null,
    ): Promise<TreePage[]> {
      const { rows } = await db.query<TreePage>(
        `select ranked.id, ranked.title, ranked.parent_id, ranked.position, ranked.has_children
         from (
           select ${columns},
                  row_number() over (partition by parent_id order by ${byPlace}) as place
           from pages
           where space_id = $1 and deleted_at is null and parent_id = any($2)
             and ${behind('$4')}
         ) as ranked
         where place <= $3
         order by place`,
        [spaceId, parentIds, limit, after],
      )
      return rows
    },
  }
}

/** The order of a level of the tree. */
const byPlace = 'position, lower(title), id'

/**
 * The pages at the top of the Space $1, those below a page in the trash included. Each of the two halves comes in order,
 * at most `limit` of it.
 */
const pagesAtTop = ({ limit, order = byPlace, where = 'true' }: TopPages) => {
  const half = (place: string) => `(
             select id, space_id, title, parent_id, position
             from pages
             where space_id = $1 and deleted_at is null and ${place} and ${where}
             order by ${order}
             limit ${limit}
           )`
  return `${half('parent_id is null')}
           union all
           ${half('parent_id in (select id from pages where space_id = $1 and deleted_at is not null)')}`
}

type TopPages = { limit: string | number; order?: string; where?: string }

const behind = (after: string) => `(
             ${after}::uuid is null
             or (position, lower(title), id) > (
               select last.position, lower(last.title), last.id
               from pages last
               where last.space_id = $1 and last.id = ${after}
             )
           )`

// Looked up for each page that is shown: `exists` may be planned as one look through all pages.
const columns = `id, title, parent_id, position,
  (
    select true from pages child where child.parent_id = pages.id and child.deleted_at is null limit 1
  ) is not null as has_children`

/** The first of many by name, and how many there are in all, at most `maxCounted` + 1. */
export type NamedCount = { titles: string[]; total: number }

/** What a Space is made of, by name alone. */
export type Outline = {
  /** How many of each kind, such as `{ page: 12 }`, at most `maxCounted` + 1. */
  counts: Record<string, number>
  /** The pages at the top of the tree, in its order. */
  topPages: NamedCount
  /** The projects, those that are under way first. */
  projects: NamedCount
  /** What else is connected to the Space. */
  connected: { mail: boolean; sources: boolean }
}

type OutlineRow = {
  counts: Record<string, number>
  top_pages: string[]
  top_total: number
  projects: string[]
  projects_total: number
  mail: boolean
  sources: boolean
}

export function createOutlineRepo(db: Queryable) {
  return {
    /** At most `limit` names of each. In one statement, because every turn of the companion begins with it. */
    async find(kinds: readonly Kind[], spaceId: string, limit: number): Promise<Outline> {
      const counts = kinds.map(
        ({ type, table }) => `'${type}', ${boundedCount(`from ${table} where ${here}`)}`,
      )
      const { rows } = await db.query<OutlineRow>(
        `select
           json_build_object(${counts.join(', ')}) as counts,
           ${names(`from (${pagesAtTop({ limit: '$2' })}) as pages`, byPlace)} as top_pages,
           ${boundedCount(`from (${pagesAtTop({ limit: maxCounted + 1, order: 'id' })}) as pages`)} as top_total,
           ${names(projects, `status <> 'active', lower(left(title, 40)), id`)} as projects,
           ${boundedCount(projects)} as projects_total,
           exists (select from mail_accounts where space_id = $1)
             or exists (select from mail_threads where space_id = $1) as mail,
           exists (select from sources where space_id = $1) as sources`,
        [spaceId, limit],
      )
      const row = rows[0]!
      return {
        counts: row.counts,
        topPages: { titles: row.top_pages, total: row.top_total },
        projects: { titles: row.projects, total: row.projects_total },
        connected: { mail: row.mail, sources: row.sources },
      }
    },
  }
}

const here = 'space_id = $1 and deleted_at is null'

const projects = `from projects where ${here}`

// Only the beginnings of titles are read: long ones cost, and a list of names needs no more.
const names = (rows: string, order: string) => `array(
             select left(title, 300)
             ${rows}
             order by ${order}
             limit $2
           )`

type TitleQuery = {
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

/** SQL that counts `from …`, at most `maxCounted` + 1. */
export const boundedCount = (rows: string) =>
  `(select count(*) from (select ${rows} limit ${maxCounted + 1}) as counted)`
