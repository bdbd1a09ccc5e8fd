// The messages of conversations, and the running summary of what is old in a long one.

import type { AttachedFile, BegunWith, Message, Screenshot } from '../../contract/companion/companion.ts'
import type { AssistantMetadata } from '../../contract/events/events.ts'
import type { Queryable } from '../pool.ts'
import type { OutcomeName } from './delivered_outcomes.ts'

export type MessageRow = Omit<Message, 'metadata'> & { metadata: Record<string, unknown> }

export type MessageText = Pick<MessageRow, 'id' | 'turn_id' | 'role' | 'body'> & {
  /** Of a question: the outcomes that were delivered with it; `null` for none. */
  delivered: { outcome: OutcomeName; line: string }[] | null
  /** Of an answer: how its turn ended before it did; `null` for a whole one. */
  interrupted_by: 'stopped' | 'failed' | null
  /** What another agent is called whose turn it is of; `null` for the reader's own. */
  other_agent: string | null
  /** The files that came with a question; `null` for none. */
  attachments: AttachedFile[] | null
  /** The screenshot that came with a question; `null` for none. */
  screenshot: Screenshot | null
  /** The nudge that a question began with; `null` for none. */
  glance: BegunWith | null
  /** Whether it is a question that had to do with research. */
  on_research: boolean
}

type TextRange = { afterId: string | null; beforeId: string; agentId: string; limit: number }

/** With the name of who answered; `null` for the owner's. */
export type SpokenMessage = Message & { agent_name: string | null }

/** With the Space that it is in. */
export type SavedMessage = SpokenMessage & { space_id: string; space_slug: string }

/** Whose a message is, in a query of messages with their turns. */
const agentOf = 'coalesce(turns.agent_id, messages.agent_id)'

const columns = 'id, conversation_id, turn_id, role, body, agent_id, metadata, created_at'

/** In a query of messages: those that are shown, and not put aside for another version. */
export const isShown = `not exists (
           select from turns as put where put.id = messages.turn_id and put.aside_with is not null
         )`

/** The place of a message, given by its id in a parameter, among all messages. */
export const seqOf = (parameter: string) => `(select seq from messages where id = ${parameter})`

/** After every message: for one that there is not. */
export const beyondAll = '9223372036854775807'

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
    async listLatest(conversationId: string, beforeId: string | null, limit: number): Promise<Message[]> {
      const { rows } = await db.query<Message>(
        `select ${columns},
           case when role = 'user' then (
             select json_agg(version.id order by version.arrival)
             from turns
             join turns as version
               on version.conversation_id = turns.conversation_id and version.version_of = turns.version_of
             where turns.id = messages.turn_id
           ) end as versions
         from messages
         where conversation_id = $1 and ($2::uuid is null or seq < ${seqOf('$2')}) and ${isShown}
         order by seq desc
         limit $3`,
        [conversationId, beforeId, limit],
      )
      return rows.reverse()
    },

    /** A message of a conversation that is not deleted, in a Space that is not; by id alone, for the owner. */
    async findAnywhere(id: string): Promise<SavedMessage | null> {
      const { rows } = await db.query<SavedMessage>(
        `select ${columns.replaceAll(/\b(?=[a-z])/g, 'messages.')}, spaces.id as space_id, spaces.slug as space_slug,
           agents.name as agent_name
         from messages
         join conversations on conversations.id = conversation_id and conversations.deleted_at is null
         join spaces on spaces.id = conversations.space_id and spaces.deleted_at is null
         left join agents on agents.id = messages.agent_id
         where messages.id = $1`,
        [id],
      )
      return rows[0] ?? null
    },

    /** Copies what is shown up to a message, at most the latest `limit`; drafts stay behind. */
    async copy(
      conversationId: string,
      {
        to,
        upTo,
        limit,
        marks,
      }: { to: string; upTo: string; limit: number; marks: Partial<AssistantMetadata> },
    ): Promise<void> {
      await db.query(
        `insert into messages (id, conversation_id, role, body, agent_id, metadata, created_at)
         select gen_random_uuid(), $2, role, body, agent_id,
                case role when 'assistant' then (metadata::jsonb || $5::jsonb)::json else metadata end,
                created_at
         from (
           select seq, role, body, agent_id, metadata, created_at
           from messages
           where conversation_id = $1 and seq <= ${seqOf('$3')} and ${isShown}
           order by seq desc
           limit $4
         ) as latest
         order by seq`,
        [conversationId, to, upTo, limit, JSON.stringify(marks)],
      )
    },

    /** The first `limit` messages after a given one, oldest first, with who answered. */
    async listAfter(conversationId: string, afterId: string | null, limit: number): Promise<SpokenMessage[]> {
      const { rows } = await db.query<SpokenMessage>(
        `select ${columns.replaceAll(/\b(?=[a-z])/g, 'messages.')}, agents.name as agent_name
         from messages
         left join agents on agents.id = messages.agent_id
         where conversation_id = $1 and ($2::uuid is null or seq > ${seqOf('$2')}) and ${isShown}
         order by seq
         limit $3`,
        [conversationId, afterId, limit],
      )
      return rows
    },

    /**
     * What the model of an agent is given of the last `limit` messages between two, oldest first. `afterId` is the last
     * message of the running summary; `null`: from the beginning.
     */
    async listTexts(
      conversationId: string,
      { afterId, beforeId, agentId, limit }: TextRange,
    ): Promise<MessageText[]> {
      const { rows } = await db.query<MessageText>(
        `select messages.id, turn_id, role, body,
                case when role = 'user' then (
                  select json_agg(json_build_object('outcome', outcome, 'line', line) order by pending_change_id, outcome)
                  from delivered_outcomes
                  where delivered_outcomes.turn_id = messages.turn_id and turns.status in ('done', 'stopped')
                ) end as delivered,
                case when role = 'assistant' and turns.status in ('stopped', 'failed') then turns.status end as interrupted_by,
                case when ${agentOf} <> $4 then agents.name end as other_agent,
                case when role = 'user' then metadata -> 'attachments' end as attachments,
                case when role = 'user' then metadata -> 'screenshot' end as screenshot,
                case when role = 'user' then metadata -> 'glance' end as glance,
                role = 'user' and metadata ->> 'research' is not null as on_research
         from messages
         left join turns on turns.id = messages.turn_id
         left join agents on agents.id = ${agentOf}
         where messages.conversation_id = $1 and messages.seq < coalesce(${seqOf('$2')}, ${beyondAll})
           and messages.seq > coalesce(${seqOf('$5')}, -1)
           and turns.aside_with is null
         order by messages.seq desc
         limit $3`,
        [conversationId, beforeId, limit, agentId, afterId],
      )
      return rows.reverse()
    },

    /** The message that a conversation began with. */
    async findFirst(conversationId: string): Promise<MessageRow | null> {
      const { rows } = await db.query<MessageRow>(
        `select ${columns}
         from messages
         where conversation_id = $1
         order by seq
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

/** What a conversation's older messages came to, up to and including the message `until`. */
type RunningSummary = { summary: string; until: string | null }

type Line = {
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
