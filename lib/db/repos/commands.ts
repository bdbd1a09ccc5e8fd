// Pages that are commands, with what says who wrote them, and the texts that the owner has approved as commands.

import type { Queryable } from '../pool.ts'

export type CommandRow = {
  id: string
  space_id: string
  title: string
  body: string
  version: number
  origin: string
  created_by: string
  updated_by: string
  /** Whether it began as a draft that the owner approved. */
  drafted: boolean
  /** SHA-256 of the text that the owner has approved; `null`: none. */
  approved_sha256: string | null
}

export function createCommandsRepo(db: Queryable) {
  return {
    /** The pages right below a page of that title at the top, in the order of the tree. */
    async list(spaceIds: readonly string[], parent: string, limit: number): Promise<CommandRow[]> {
      const { rows } = await db.query<CommandRow>(
        `select pages.id, pages.space_id, pages.title, pages.body, pages.version, pages.origin, pages.created_by,
           pages.updated_by, command_approvals.sha256 as approved_sha256,
           exists (
             select from pending_changes
             where entity_id = pages.id and action = 'create' and status = 'approved'
           ) as drafted
         from pages parent
         join pages on pages.parent_id = parent.id and pages.space_id = parent.space_id
         left join command_approvals on page_id = pages.id
         where parent.space_id = any($1) and parent.parent_id is null and lower(parent.title) = lower($2)
           and parent.deleted_at is null and pages.deleted_at is null
         order by pages.space_id, pages.position, lower(pages.title), pages.id
         limit $3`,
        [spaceIds, parent, limit],
      )
      return rows
    },

    async approve(pageId: string, sha256: string): Promise<void> {
      await db.query(
        `insert into command_approvals (page_id, sha256)
         values ($1, $2)
         on conflict (page_id) do update
         set sha256 = excluded.sha256, approved_at = now()`,
        [pageId, sha256],
      )
    },
  }
}
