import type { Queryable } from '../pool.ts'

export type TreeRow = { id: string; title: string; parent_id: string | null }
export type DocumentRow = {
  id: string
  title: string
  mime: string
  metadata: Record<string, unknown>
  has_original: boolean
}

export type MailFileRow = {
  id: string
  title: string
  sent_at: string
  sent: boolean
  places: { folder: string; flags: string[] }[]
}

/** What an export reads besides the rows themselves. */
export function createVaultExportRepo(db: Queryable) {
  return {
    /** Every page with the living page above it. */
    async listTree(spaceId: string): Promise<TreeRow[]> {
      const { rows } = await db.query<TreeRow>(
        `select pages.id, pages.title, parent.id as parent_id
         from pages
         left join pages parent on parent.id = pages.parent_id and parent.deleted_at is null
         where pages.space_id = $1 and pages.deleted_at is null
         order by pages.position, lower(pages.title), pages.id`,
        [spaceId],
      )
      return rows
    },

    async listProjects(spaceId: string): Promise<{ id: string; title: string }[]> {
      const { rows } = await db.query<{ id: string; title: string }>(
        'select id, title from projects where space_id = $1 and deleted_at is null order by id',
        [spaceId],
      )
      return rows
    },

    /** Every research run, oldest first. */
    async listResearch(spaceId: string): Promise<{ id: string; title: string }[]> {
      const { rows } = await db.query<{ id: string; title: string }>(
        'select id, title from research_runs where space_id = $1 order by id',
        [spaceId],
      )
      return rows
    },

    /** Every message, with the folders that it lies in, or did when it was imported. */
    async listMail(spaceId: string): Promise<MailFileRow[]> {
      const { rows } = await db.query<MailFileRow>(
        `select m.id, m.title, m.sent_at, m.direction = 'sent' as sent,
           coalesce(
             (
               select json_agg(json_build_object('folder', f.path, 'flags', l.flags) order by f.path, l.uid)
               from mail_locations l
               join mail_folders f on f.id = l.folder_id
               where l.message_id = m.id
             ),
             (
               select json_agg(json_build_object('folder', p.folder, 'flags', p.flags) order by p.folder)
               from mail_imported_places p
               where p.message_id = m.id
             ),
             '[]'
           ) as places
         from mail_messages m
         where m.space_id = $1 and m.deleted_at is null
         order by m.sent_at, m.id`,
        [spaceId],
      )
      return rows
    },

    /** Every source document, without text and bytes. */
    async listDocuments(spaceId: string): Promise<DocumentRow[]> {
      const { rows } = await db.query<DocumentRow>(
        `select id, title, mime, metadata, original is not null as has_original
         from source_docs
         where space_id = $1 and deleted_at is null
         order by id`,
        [spaceId],
      )
      return rows
    },

    /** The bytes of a source document, or its text where it came without. */
    async readDocument(spaceId: string, id: string): Promise<Buffer | null> {
      const { rows } = await db.query<{ bytes: Buffer }>(
        `select coalesce(original, convert_to(text, 'UTF8')) as bytes
         from source_docs
         where space_id = $1 and id = $2`,
        [spaceId, id],
      )
      return rows[0]?.bytes ?? null
    },

    /** The paths by which imported entities are known, and their tails, as links are compared with them. */
    async listPathNames(
      spaceId: string,
      ids: readonly string[],
    ): Promise<{ entity_id: string; name: string }[]> {
      const { rows } = await db.query<{ entity_id: string; name: string }>(
        `select entity_id, name
         from entity_names
         where space_id = $1 and entity_id = any($2) and source = 'path'
         order by name`,
        [spaceId, ids],
      )
      return rows
    },
  }
}
