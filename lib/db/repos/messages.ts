import type { Queryable } from '../pool.ts'
import type { OutcomeName } from './told_outcomes.ts'

export type MessageRow = {
  id: string
  conversation_id: string
  turn_id: string | null
  role: 'user' | 'assistant'
  body: string
  agent_id: string | null
  metadata: Record<string, unknown>
  created_at: string
}

export type SaidRow = Pick<MessageRow, 'id' | 'turn_id' | 'role' | 'body'> & {
  /** Of a question: what the agent was told before it, as told_outcomes.ts has it; `null` for nothing. */
  told: { outcome: OutcomeName; told: string }[] | null
  /** Of an answer: how its turn ended before it did; `null` for a whole one. */
  broken_off: 'stopped' | 'failed' | null
}

const columns = 'id, conversation_id, turn_id, role, body, agent_id, metadata, created_at'

export type MessagesRepo = ReturnType<typeof createMessagesRepo>

export function createMessagesRepo(db: Queryable) {
  return {
    async insert(message: Omit<MessageRow, 'created_at'>): Promise<MessageRow> {
      const { rows } = await db.query<MessageRow>(
        `insert into messages (id, conversation_id, turn_id, role, body, agent_id, metadata)
         values ($1, $2, $3, $4, $5, $6, $7)
         returning ${columns}`,
        [
          message.id,
          message.conversation_id,
          message.turn_id,
          message.role,
          message.body,
          message.agent_id,
          JSON.stringify(message.metadata),
        ],
      )
      return rows[0]!
    },

    /** The last `limit` messages before a given one, oldest first. */
    async listLatest(conversationId: string, beforeId: string | null, limit: number): Promise<MessageRow[]> {
      const { rows } = await db.query<MessageRow>(
        `select ${columns}
         from messages
         where conversation_id = $1 and ($2::uuid is null or id < $2)
         order by id desc
         limit $3`,
        [conversationId, beforeId, limit],
      )
      return rows.reverse()
    },

    /** What a model is given of the last `limit` messages before a given one, oldest first. */
    async listSaid(conversationId: string, beforeId: string, limit: number): Promise<SaidRow[]> {
      const { rows } = await db.query<SaidRow>(
        `select messages.id, turn_id, role, body,
                case when role = 'user' then (
                  select json_agg(json_build_object('outcome', outcome, 'told', told) order by pending_change_id, outcome)
                  from told_outcomes
                  where told_outcomes.turn_id = messages.turn_id and turns.status in ('done', 'stopped')
                ) end as told,
                case when role = 'assistant' and turns.status in ('stopped', 'failed') then turns.status end as broken_off
         from messages
         left join turns on turns.id = messages.turn_id
         where messages.conversation_id = $1 and messages.id < $2
         order by messages.id desc
         limit $3`,
        [conversationId, beforeId, limit],
      )
      return rows.reverse()
    },

    /** The message that a conversation began with. */
    async findFirst(conversationId: string): Promise<MessageRow | null> {
      const { rows } = await db.query<MessageRow>(
        `select ${columns}
         from messages
         where conversation_id = $1
         order by id
         limit 1`,
        [conversationId],
      )
      return rows[0] ?? null
    },

    async findOfTurn(turnId: string, role: 'user' | 'assistant'): Promise<MessageRow | null> {
      const { rows } = await db.query<MessageRow>(
        `select ${columns}
         from messages
         where turn_id = $1 and role = $2`,
        [turnId, role],
      )
      return rows[0] ?? null
    },
  }
}
