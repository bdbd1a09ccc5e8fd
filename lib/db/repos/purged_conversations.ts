import type { Queryable } from '../pool.ts'

/** Where the words of a conversation stand, by its turns. What an answer of a source was kept as, and drafts rest on, stays. */
const ofTurns = [
  'turn_events where true',
  'turn_steps where true',
  'tool_calls where true',
  `tool_results where kept_as is null
     and not exists (select from pending_changes where pending_changes.turn_id = tool_results.turn_id)`,
]

/** Removes deleted conversations for good. In a transaction. */
export function createPurgedConversationsRepo(db: Queryable) {
  return {
    /**
     * Of those deleted before `before`, the words of at most `limit`: messages, steps, logs, calls and names. Their rows
     * stay for what they used, and for the drafts made in them. How many there were.
     */
    async purge(before: Date, limit: number): Promise<number> {
      const { rows } = await db.query<{ id: string }>(
        `update conversations
         set purged_at = now(), title = '', summary = '', running_summary = '', summarized_until = null
         where id in (
           select id
           from conversations
           where deleted_at < $1 and purged_at is null
             and not exists (
               select from turns where conversation_id = conversations.id and status in ('queued', 'running')
             )
           order by deleted_at
           limit $2
           for update skip locked
         )
         returning id`,
        [before, limit],
      )
      const ids = rows.map(({ id }) => id)
      if (ids.length === 0) return 0
      await db.query('delete from messages where conversation_id = any($1)', [ids])
      await db.query(
        `update routing_decisions
         set known = '[]', reason = '', answer = null
         where conversation_id = any($1)`,
        [ids],
      )
      for (const words of ofTurns) {
        await db.query(
          `delete from ${words} and turn_id in (select id from turns where conversation_id = any($1))`,
          [ids],
        )
      }
      return ids.length
    },
  }
}
