// Pages as the notes of a folder.

import type { Queryable } from '../pool.ts'

/** A page that is a note: it has a path, and is not in the trash. */
export type NotePage = { id: string; path: string; version: number; updated_by: string }

export type NoteBody = {
  id: string
  version: number
  title: string
  body: string
  original: Buffer | null
  original_of: string | null
}

export function createFolderPagesRepo(db: Queryable, spaceId: string) {
  return {
    async list(): Promise<NotePage[]> {
      const { rows } = await db.query<NotePage>(
        `select id, path, version, updated_by
         from pages
         where space_id = $1 and deleted_at is null and path is not null`,
        [spaceId],
      )
      return rows
    },

    async read(ids: readonly string[]): Promise<NoteBody[]> {
      if (ids.length === 0) return []
      const { rows } = await db.query<NoteBody>(
        `select id, version, title, body, original, original_of
         from pages
         where space_id = $1 and id = any($2) and deleted_at is null`,
        [spaceId, ids],
      )
      return rows
    },

    /** Those of the given pages that are in the trash: a page that is nowhere is not known to have been deleted. */
    async listTrashed(ids: readonly string[]): Promise<string[]> {
      if (ids.length === 0) return []
      const { rows } = await db.query<{ id: string }>(
        'select id from pages where space_id = $1 and id = any($2) and deleted_at is not null',
        [spaceId, ids],
      )
      return rows.map(({ id }) => id)
    },

    /** Whether the page ever had this text. */
    async hasHad(pageId: string, body: string): Promise<boolean> {
      const { rows } = await db.query(
        `select
         from audit_log
         where space_id = $1 and entity_id = $2
           and (after::json ->> 'body' = $3 or before::json ->> 'body' = $3)
         limit 1`,
        [spaceId, pageId, body],
      )
      return rows.length > 0
    },

    /** Its text came from the folder; that of mail and web pages stays what it was. */
    async markFromFolder(pageId: string): Promise<void> {
      await db.query(
        `update pages set origin = 'folder' where space_id = $1 and id = $2 and origin in ('owner', 'agent')`,
        [spaceId, pageId],
      )
    },
  }
}
