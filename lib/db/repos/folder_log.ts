// What was done to keep a folder and a Space in step.

import type { Queryable } from '../pool.ts'

export type FolderLogLine = {
  seq: number
  at: string
  side: 'file' | 'page'
  action:
    | 'created'
    | 'updated'
    | 'moved'
    | 'deleted'
    | 'restored'
    | 'conflict'
    | 'kept'
    | 'drafted'
    | 'outweighed'
  path: string
  page_id: string | null
  page_version: number | null
}

export type NewLogLine = Omit<FolderLogLine, 'seq' | 'at'>

export function createFolderLogRepo(db: Queryable, folderId: string) {
  return {
    async append(at: Date, ...lines: NewLogLine[]): Promise<void> {
      if (lines.length === 0) return
      await db.query(
        `insert into folder_log (folder_id, at, side, action, path, page_id, page_version)
         select $1, $2, side, action, path, page_id, page_version
         from rows from (
             json_to_recordset($3::json) as (side text, action text, path text, page_id uuid, page_version integer)
           ) with ordinality as given (side, action, path, page_id, page_version, place)
         order by place`,
        [folderId, at, JSON.stringify(lines)],
      )
    },

    /** Newest first. `audit_seq`: the audit row of the change of the page that the line is about. */
    async list(
      beforeSeq: number | null,
      limit: number,
    ): Promise<(FolderLogLine & { audit_seq: number | null })[]> {
      const { rows } = await db.query<FolderLogLine & { audit_seq: number | null }>(
        `select log.seq, log.at, log.side, log.action, log.path, log.page_id, log.page_version, audit.seq as audit_seq
         from folder_log log
         join folders on folders.id = log.folder_id
         left join lateral (
           select audit_log.seq
           from audit_log
           where audit_log.space_id = folders.space_id and audit_log.entity_id = log.page_id
             and audit_log.version <= coalesce(log.page_version, audit_log.version) and audit_log.at <= log.at + interval '1 minute'
           order by audit_log.seq desc
           limit 1
         ) audit on log.action in ('created', 'updated', 'moved', 'deleted', 'restored')
         where log.folder_id = $1 and ($2::bigint is null or log.seq < $2)
         order by log.seq desc
         limit $3`,
        [folderId, beforeSeq, limit],
      )
      return rows
    },

    /** What is back after it was deleted, as often as it was: those that the agent has not drafted the deletion of since. */
    async listOwedDeletions(
      agentId: string,
    ): Promise<(Pick<FolderLogLine, 'path' | 'side'> & { page_id: string })[]> {
      const { rows } = await db.query<Pick<FolderLogLine, 'path' | 'side'> & { page_id: string }>(
        `select distinct on (log.page_id) log.page_id, log.path, log.side
         from folder_log log
         join folders on folders.id = log.folder_id
         join pages on pages.space_id = folders.space_id and pages.id = log.page_id and pages.deleted_at is null
         where log.folder_id = $1 and log.action = 'outweighed'
           and not exists (
             select from pending_changes change
             where change.space_id = folders.space_id and change.entity_type = 'page' and change.entity_id = log.page_id
               and change.agent_id = $2 and change.action = 'delete' and change.base_version >= log.page_version)
         order by log.page_id, log.seq desc`,
        [folderId, agentId],
      )
      return rows
    },

    /** Paths of the pages that were deleted since, because their files were. */
    async listDeleted(since: Date): Promise<string[]> {
      const { rows } = await db.query<{ path: string }>(
        `select path from folder_log
         where folder_id = $1 and at >= $2 and side = 'page' and action = 'deleted'`,
        [folderId, since],
      )
      return rows.map(({ path }) => path)
    },
  }
}
