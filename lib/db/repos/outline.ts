import { maxCounted } from '../../contract/space/counted.ts'
import type { Kind } from '../../entities/kind.ts'
import type { Queryable } from '../pool.ts'
import { boundedCount } from './bounded_count.ts'
import { byPlace, pagesAtTop } from './page_tree.ts'

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
