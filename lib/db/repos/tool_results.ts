import type { ToolResult } from '../../contract/sources.ts'
import type { Queryable } from '../pool.ts'

export type ToolResultRow = ToolResult

type NewResult = Omit<ToolResultRow, 'kept_as' | 'created_at'> & {
  source_id: string
  agent_id: string
  tool_use_id: string | null
}

const columns = 'id, space_id, source_name, tool, arguments, text, cut, failed, turn_id, kept_as, created_at'

/** Results of the tools of sources, in Spaces that are not in the trash. */
export function createToolResultsRepo(db: Queryable) {
  return {
    async find(id: string, spaceId: string | null = null): Promise<ToolResultRow | null> {
      const { rows } = await db.query<ToolResultRow>(
        `select ${columns}
         from tool_results
         where id = $1
           and ($2::uuid is null or space_id = $2)
           and exists (select from spaces where spaces.id = tool_results.space_id and deleted_at is null)`,
        [id, spaceId],
      )
      return rows[0] ?? null
    },

    /** Lets one transaction at a time make something of it. */
    async lock(id: string): Promise<ToolResultRow | null> {
      await db.query('select id from tool_results where id = $1 for update', [id])
      return await this.find(id)
    },

    async insert(result: NewResult, now: Date): Promise<void> {
      const {
        id,
        space_id,
        source_id,
        source_name,
        tool,
        text,
        cut,
        failed,
        agent_id,
        turn_id,
        tool_use_id,
      } = result
      await db.query(
        `insert into tool_results
           (id, space_id, source_id, source_name, tool, arguments, text, cut, failed, agent_id, turn_id,
            tool_use_id, created_at)
         values ($1, $2, (select id from sources where id = $3), $4, $5, $6, $7, $8, $9, $10, $11, $12, $13)`,
        [
          ...[id, space_id, source_id, source_name, tool, result.arguments, text, cut, failed],
          ...[agent_id, turn_id, tool_use_id, now],
        ],
      )
    },

    async noteKept(id: string, keptAs: string): Promise<void> {
      await db.query('update tool_results set kept_as = $2 where id = $1', [id, keptAs])
    },
  }
}
