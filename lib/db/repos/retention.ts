// What maintenance removes of conversations: the words of deleted ones, old logs of turns, old records of tool calls.

import type { Queryable } from '../pool.ts'

/** Where the words of a conversation stand, by its turns. What an answer of a source was kept as, and drafts rest on, stays. */
const ofTurns = [
  'turn_events where true',
  'turn_steps where true',
  'tool_calls where true',
  `tool_results where kept_as is null
     and not exists (select from pending_changes where pending_changes.turn_id = tool_results.turn_id)`,
]

export function createRetentionRepo(db: Queryable) {
  return {
    /**
     * Of the conversations deleted before `before`, the words of at most `limit`: messages, steps, logs, calls and names.
     * Their rows stay for what they used, and for the drafts made in them. How many there were. In a transaction.
     */
    async purgeConversations(before: Date, limit: number): Promise<number> {
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

    /**
     * Drops the logs, but for their first and last rows, of the next `limit` turns that ended after `after` (`null`: from
     * the first on) and not after `until`: what was said is in the messages. `last` is where to go on from, `null` at the
     * end.
     */
    async pruneLogs(
      { after, until }: { after: string | null; until: string },
      limit: number,
    ): Promise<{ removed: number; last: string | null }> {
      const { rows } = await db.query<{ removed: number; last: string | null }>(
        `with ended as materialized (
           select id, finished_at
           from turns
           where finished_at > coalesce($1::timestamptz, '-infinity') and finished_at <= $2::timestamptz
           order by finished_at
           fetch first ($3) rows with ties
         ), removed as (
           delete from turn_events
           using ended
           where turn_id = ended.id and type not in ('turn', 'done', 'error')
           returning 1
         )
         select (select count(*) from removed)::integer as removed,
           (select max(finished_at) from ended)::text as last`,
        [after, until, limit],
      )
      return rows[0]!
    },

    /**
     * When the latest turn ended whose log no longer fits: those of the turns since `since` are counted from the newest
     * on. `null`: all fit.
     */
    async findExcessLogs(since: Date, maxBytes: number): Promise<string | null> {
      const { rows } = await db.query<{ ended: string }>(
        `select finished_at::text as ended
         from (
           select finished_at, sum(bytes) over (order by finished_at desc, id desc) as total
           from (
             select id, finished_at,
               (select coalesce(sum(octet_length(data)), 0) from turn_events where turn_id = turns.id) as bytes
             from turns
             where finished_at > $1
           ) as logs
         ) as summed
         where total > $2
         order by finished_at desc
         limit 1`,
        [since, maxBytes],
      )
      return rows[0]?.ended ?? null
    },

    /** Removes records of calls made until `until`, at most `limit`. How many there were. */
    async pruneCalls(until: Date | string, limit: number): Promise<number> {
      const { rowCount } = await db.query(
        `delete from tool_calls
         where id in (select id from tool_calls where created_at <= $1::timestamptz order by created_at limit $2)`,
        [until, limit],
      )
      return rowCount ?? 0
    },

    /**
     * When the latest record was made that no longer fits and is from before `before`: their texts are counted from the
     * newest on. `null`: all fit.
     */
    async findExcessCalls(before: Date, maxBytes: number): Promise<string | null> {
      const { rows } = await db.query<{ made: string }>(
        `select created_at::text as made
         from (
           select created_at, sum(bytes) over (order by created_at desc, id desc) as total
           from (
             select id, created_at,
               octet_length(arguments::text) + octet_length(result) + coalesce(octet_length(passage), 0) as bytes
             from tool_calls
           ) as texts
         ) as summed
         where total > $2 and created_at < $1
         order by created_at desc
         limit 1`,
        [before, maxBytes],
      )
      return rows[0]?.made ?? null
    },
  }
}
