// Pages as the notes of a folder.

import type { Queryable } from '../pool.ts'

/** A page that is a note: it has a path, and is not in the trash. */
export type NotePage = { id: string; path: string; version: number }

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
        `select id, path, version
         from pages
         where space_id = $1 and deleted_at is null and path is not null`,
        [spaceId],
      )
      return rows
    },

    /** Another one after every change of a page's version or path, and after one is made, deleted, restored or purged. */
    async digest(): Promise<string> {
      const { rows } = await db.query<{ digest: string }>(
        `select concat(count(*), ' ', sum(hash_record_extended(row(id, version, path, deleted_at is null), 0))) as digest
         from pages
         where space_id = $1`,
        [spaceId],
      )
      return rows[0]!.digest
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

    /**
     * Those of the pages, each at a path and since a version, that a draft of another agent than `exceptAgent` changed since,
     * and whose path the owner has never typed.
     */
    async listDrafted(
      pages: readonly { id: string; path: string; since: number }[],
      exceptAgent: string,
    ): Promise<string[]> {
      if (pages.length === 0) return []
      const { rows } = await db.query<{ id: string }>(
        `select page.id
         from unnest($2::uuid[], $3::text[], $4::int[]) page (id, path, since)
         where exists (
             select from audit_log
             join pending_changes change on change.id = audit_log.pending_change_id and change.agent_id <> $5
             where audit_log.space_id = $1 and audit_log.entity_id = page.id and audit_log.version > page.since)
           and not exists (
             select from audit_log
             where audit_log.space_id = $1 and audit_log.entity_id = page.id and audit_log.actor = 'owner'
               and audit_log.pending_change_id is null and audit_log.after::json ->> 'path' = page.path)`,
        [
          spaceId,
          pages.map(({ id }) => id),
          pages.map(({ path }) => path),
          pages.map(({ since }) => since),
          exceptAgent,
        ],
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

    /** Whether an agent drafted this text for the page, and the draft waits or was decided on. */
    async hasAsked(pageId: string, body: string, agentId: string): Promise<boolean> {
      const { rows } = await db.query(
        `select
         from pending_changes
         where space_id = $1 and entity_id = $2 and agent_id = $3 and status in ('pending', 'approved', 'rejected')
           and payload::json ->> 'body' = $4
         limit 1`,
        [spaceId, pageId, agentId, body],
      )
      return rows.length > 0
    },

    /** A draft of the agent for a new page at this path that waits, and of which no folder knows. */
    async findStrayDraft(path: string, agentId: string): Promise<string | null> {
      const { rows } = await db.query<{ id: string }>(
        `select id
         from pending_changes change
         where space_id = $1 and agent_id = $2 and status = 'pending' and action = 'create'
           and payload::json ->> 'path' = $3
           and not exists (select from folder_entries where folder_entries.pending_change_id = change.id)
         order by id desc
         limit 1`,
        [spaceId, agentId, path],
      )
      return rows[0]?.id ?? null
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
