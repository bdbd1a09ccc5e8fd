// Links of pages that moved because their files did, until it is known whether they still lead there.

import { v7 as uuid } from 'uuid'
import type { Queryable } from '../pool.ts'
import type { LinkRow } from './links.ts'

type MovedLinks = { id: string; links: LinkRow[] }

export function createFolderMovedLinksRepo(db: Queryable, folderId: string) {
  return {
    async add(at: Date, links: readonly LinkRow[]): Promise<void> {
      await db.query('insert into folder_moved_links (id, folder_id, at, links) values ($1, $2, $3, $4)', [
        uuid(),
        folderId,
        at,
        JSON.stringify(links),
      ])
    },

    async count(): Promise<number> {
      const { rows } = await db.query<{ count: number }>(
        `select coalesce(sum(json_array_length(links)), 0)::int as count
         from folder_moved_links
         where folder_id = $1`,
        [folderId],
      )
      return rows[0]!.count
    },

    /** Oldest first. */
    async listUntil(at: Date): Promise<MovedLinks[]> {
      const { rows } = await db.query<MovedLinks>(
        `select id, links
         from folder_moved_links
         where folder_id = $1 and at <= $2
         order by at, id`,
        [folderId, at],
      )
      return rows
    },

    async remove(ids: readonly string[]): Promise<void> {
      await db.query('delete from folder_moved_links where folder_id = $1 and id = any($2)', [folderId, ids])
    },
  }
}
