import type { Queryable } from '../pool.ts'
import { type Addressee, type AgentRow, addressed } from './agents.ts'
import type { ConversationRow } from './conversations.ts'

/** A conversation as the router sees it. */
export type ThreadRow = Pick<ConversationRow, 'id' | 'title' | 'summary' | 'last_activity_at'> & {
  /** `null` for one in which nothing was said yet. */
  last_said_at: string | null
  /** When the owner last began or opened it by hand. */
  chosen_at: string | null
  /** Whether a turn runs or waits in it. */
  busy: boolean
  /** Whether a research run waits in it for the owner. */
  held: boolean
}

/**
 * The companion that a message is for, with its conversations in the Space: the active one first, which is `activeId` or
 * else the latest, then others in which something was said, newest activity first. At most `limit` are looked at.
 */
export async function findAddressed(
  db: Queryable,
  { space_id, agent_id, conversation_id }: Addressee,
  { activeId, limit }: { activeId: string | null; limit: number },
): Promise<{ agent: AgentRow; threads: ThreadRow[] } | null> {
  const { rows } = await db.query<AgentRow & { threads: ThreadRow[] }>(
    `with addressed as (${addressed})
     select addressed.*, array(
       select json_build_object('id', recent.id, 'title', title, 'summary', summary,
         'last_activity_at', last_activity_at, 'chosen_at', chosen_at, 'last_said_at', said.at,
         'busy', exists (select from turns where conversation_id = recent.id and status in ('queued', 'running')),
         'held', exists (
           select from research_runs where conversation_id = recent.id and research_runs.status = 'paused'
         ))
       from (
         select id, title, summary, last_activity_at, chosen_at
         from conversations
         where space_id = $1::uuid and agent_id = addressed.id and status = 'active' and deleted_at is null
         order by (id = $4::uuid) desc nulls last, last_activity_at desc, id desc
         limit $5
       ) recent
       left join lateral (
         select created_at as at
         from messages
         where conversation_id = recent.id
         order by seq desc
         limit 1
       ) said on true
       order by (recent.id = $4::uuid) desc nulls last, last_activity_at desc, recent.id desc
     ) as threads
     from addressed`,
    [space_id, agent_id, conversation_id, activeId, limit],
  )
  if (!rows[0]) return null
  const { threads, ...agent } = rows[0]
  const began = threads.filter(({ last_said_at }, index) => index === 0 || last_said_at !== null)
  return { agent, threads: began.map(withIsoTimes) }
}

/** JSON has Postgres's form of times. */
function withIsoTimes(thread: ThreadRow): ThreadRow {
  const iso = (time: string) => new Date(time).toISOString()
  return {
    ...thread,
    last_activity_at: iso(thread.last_activity_at),
    last_said_at: thread.last_said_at && iso(thread.last_said_at),
    chosen_at: thread.chosen_at && iso(thread.chosen_at),
  }
}
