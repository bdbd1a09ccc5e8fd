import type { Kind } from '../../contract/entities/kind.ts'
import { maxCounted } from '../../contract/limits.ts'
import type { FoundPage, TreePage } from '../../contract/space/pages.ts'
import type { Queryable } from '../pool.ts'

/** Whether a page has the bytes that its text was read from by a guess. */
const isGuessed = `read_as is not null and original is not null
  and original_of = encode(sha256(convert_to(body, 'UTF8')), 'hex')`

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

    /** The encoding that the file of a page was read in by a guess; null also where its text was edited since. */
    async findReadAs(spaceId: string, id: string): Promise<string | null> {
      const { rows } = await db.query<{ read_as: string }>(
        `select read_as from pages where space_id = $1 and id = $2 and ${isGuessed}`,
        [spaceId, id],
      )
      return rows[0]?.read_as ?? null
    },

    /** The bytes that the text of a page was read from by a guess; null where `findReadAs` is. */
    async findGuessed(spaceId: string, id: string): Promise<{ bytes: Buffer } | null> {
      const { rows } = await db.query<{ bytes: Buffer }>(
        `select original as bytes from pages where space_id = $1 and id = $2 and ${isGuessed}`,
        [spaceId, id],
      )
      return rows[0] ?? null
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

    /** The pages at the top, in order, at most `limit`; behind the page `after`, or from a place on. */
    async listTop(
      spaceId: string,
      limit: number,
      { after = null, from = 0 }: Begin = {},
    ): Promise<TreePage[]> {
      const { rows } = await db.query<TreePage>(
        `select ${columns}
         from (${pagesAtTop({ limit: '$2::integer + $4', where: behind('$3') })}) as pages
         where space_id = $1
         order by ${byPlace}
         limit $2
         offset $4`,
        [spaceId, limit, after, from],
      )
      return rows.map((row) => ({ ...row, parent_id: null }))
    },

    /** The pages right below the given ones, in order, at most `limit` below each; behind the page `after`, or from a place on. */
    async listBelow(
      spaceId: string,
      parentIds: readonly string[],
      limit: number,
      { after = null, from = 0 }: Begin = {},
    ): Promise<TreePage[]> {
      const { rows } = await db.query<TreePage>(
        `select ${columns}
         from (
           select id, title, parent_id, position,
                  row_number() over (partition by parent_id order by ${byPlace}) as place
           from pages
           where space_id = $1 and deleted_at is null and parent_id = any($2)
             and ${behind('$4')}
         ) as pages
         where place > $5 and place <= $5 + $3::integer
         order by place`,
        [spaceId, parentIds, limit, after, from],
      )
      return rows
    },

    async countTop(spaceId: string): Promise<number> {
      const { rows } = await db.query<{ count: number }>(
        `select count(*)::int as count from (${everyPageAtTop}) as pages`,
        [spaceId],
      )
      return rows[0]!.count
    },

    /** How many pages are right below each; without those that have none. */
    async countBelow(spaceId: string, parentIds: readonly string[]): Promise<Map<string, number>> {
      const { rows } = await db.query<{ parent_id: string; count: number }>(
        `select parent_id, count(*)::int as count
         from pages
         where space_id = $1 and deleted_at is null and parent_id = any($2)
         group by parent_id`,
        [spaceId, parentIds],
      )
      return new Map(rows.map(({ parent_id, count }) => [parent_id, count]))
    },

    /** The place of a page within its level, from 0. `parentId`: the level; null is the top. */
    async findPlace(spaceId: string, parentId: string | null, id: string): Promise<number> {
      const level = parentId
        ? 'select * from pages where space_id = $1 and deleted_at is null and parent_id = $3'
        : everyPageAtTop
      const { rows } = await db.query<{ place: number }>(
        `select count(*)::int as place
         from (${level}) as pages
         where (position, lower(title), id) < (
           select own.position, lower(own.title), own.id from pages own where own.space_id = $1 and own.id = $2
         )`,
        [spaceId, id, ...(parentId ? [parentId] : [])],
      )
      return rows[0]!.place
    },
  }
}

/** Where a part of a level begins. */
type Begin = { after?: string | null; from?: number }

/** The order of a level of the tree. */
const byPlace = 'position, lower(title), id'

/** The pages at the top of the Space $1, those below a page in the trash included, in two halves; `rest` ends each. */
const atTop = (rest: string) =>
  ['parent_id is null', 'parent_id in (select id from pages where space_id = $1 and deleted_at is not null)']
    .map(
      (place) => `(
             select id, space_id, title, parent_id, position
             from pages
             where space_id = $1 and deleted_at is null and ${place}
             ${rest}
           )`,
    )
    .join(`
           union all
           `)

/** Each of the two halves comes in order, at most `limit` of it. */
const pagesAtTop = ({ limit, order = byPlace, where = 'true' }: TopPages) =>
  atTop(`and ${where} order by ${order} limit ${limit}`)

const everyPageAtTop = atTop('')

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

/** SQL that counts `from …`, at most `maxCounted` + 1. */
export const boundedCount = (rows: string) =>
  `(select count(*) from (select ${rows} limit ${maxCounted + 1}) as counted)`
