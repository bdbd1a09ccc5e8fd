import type { Queryable } from '../pool.ts'
import { agentOf, beyondAll, isShown, seqOf } from './messages.ts'

/** What a conversation's older messages came to, up to and including the message `until`. */
export type RunningSummary = { summary: string; until: string | null }

export type Line = {
  id: string
  role: 'user' | 'assistant'
  body: string
  /** What the agent is called that answered; `null` for the reader itself, and where nobody knows. */
  agent: string | null
}

const withAgents = `messages
         left join turns on turns.id = messages.turn_id
         left join agents on agents.id = ${agentOf}`

/** The short form of long conversations, for the model alone: their messages stay as they are. */
export function createRunningSummariesRepo(db: Queryable) {
  return {
    async find(conversationId: string): Promise<RunningSummary> {
      const { rows } = await db.query<RunningSummary>(
        `select running_summary as summary, summarized_until as until
         from conversations
         where id = $1`,
        [conversationId],
      )
      return rows[0] ?? { summary: '', until: null }
    },

    /** Replaces the summary that reached to `before`. `false` when another server was faster. */
    async advance(conversationId: string, before: string | null, next: RunningSummary): Promise<boolean> {
      const { rowCount } = await db.query(
        `update conversations
         set running_summary = $3, summarized_until = $4
         where id = $1 and summarized_until is not distinct from $2::uuid
           -- What it sums up may have been put aside meanwhile.
           and exists (select from messages where messages.id = $4 and ${isShown})`,
        [conversationId, before, next.summary, next.until],
      )
      return rowCount === 1
    },

    /** The first `limit` messages after one, oldest first, each cut at `characters`. */
    async listAfter(
      conversationId: string,
      after: string | null,
      { limit, characters }: { limit: number; characters: number },
    ): Promise<Line[]> {
      const { rows } = await db.query<Line>(
        `select messages.id, role, left(body, $4) as body, agents.name as agent
         from ${withAgents}
         where messages.conversation_id = $1 and ($2::uuid is null or messages.seq > ${seqOf('$2')})
           and turns.aside_with is null
         order by messages.seq
         limit $3`,
        [conversationId, after, limit, characters],
      )
      return rows
    },

    /** The last `limit` messages between two, as an agent reads them, oldest first, each cut at `characters`. */
    async listBetween(
      conversationId: string,
      { after, before, agentId }: { after: string | null; before: string; agentId: string },
      { limit, characters }: { limit: number; characters: number },
    ): Promise<Line[]> {
      const { rows } = await db.query<Line>(
        `select messages.id, role, left(body, $5) as body,
                case when ${agentOf} <> $6 then agents.name end as agent
         from ${withAgents}
         where messages.conversation_id = $1 and ($2::uuid is null or messages.seq > ${seqOf('$2')})
           and messages.seq < coalesce(${seqOf('$3')}, ${beyondAll}) and turns.aside_with is null
         order by messages.seq desc
         limit $4`,
        [conversationId, after, before, limit, characters, agentId],
      )
      return rows.reverse()
    },

    async countAfter(conversationId: string, after: string | null): Promise<number> {
      const { rows } = await db.query<{ count: number }>(
        `select count(*)::integer as count
         from messages
         where conversation_id = $1 and ($2::uuid is null or seq > ${seqOf('$2')}) and ${isShown}`,
        [conversationId, after],
      )
      return rows[0]?.count ?? 0
    },
  }
}
