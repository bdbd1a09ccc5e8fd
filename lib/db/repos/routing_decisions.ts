// The conversations that a router chooses from, and what it decided, turn by turn.

import type { RoutingDecision } from '../../contract/companion/turns.ts'
import type { Queryable } from '../pool.ts'
import type { ConversationRow } from './conversations.ts'
import type { TurnRow } from './turns.ts'

export type NewRoutingDecision = Omit<RoutingDecision, 'created_at' | 'undone_at' | 'undone_to'>

const columns = `id, space_id, turn_id, conversation_id, active_id, choice, decided_by, reason, known, model, answer,
  duration_ms, created_at, undone_at, undone_to`

/** A conversation as the router sees it. */
export type ThreadRow = Pick<
  ConversationRow,
  'id' | 'space_id' | 'title' | 'summary' | 'last_activity_at'
> & {
  space_slug: string
  space_name: string
  /** `null` for one in which nothing was said yet. */
  last_said_at: string | null
  /** When the owner last began or opened it by hand. */
  chosen_at: string | null
  /** Whether a turn runs or waits in it. */
  busy: boolean
  /** Whether a research run waits in it for the owner. */
  held: boolean
}

type ThreadFilter = { activeId: string | null; elsewhere: readonly string[] | null; limit: number }

/** What the router decided, turn by turn, with what it knew. */
export function createRoutingDecisionsRepo(db: Queryable) {
  return {
    /**
     * The conversations of a companion. Those of a Space come first: the active one, which is `activeId` or else the
     * latest, then others in which something was said, newest activity first. Then those of `elsewhere`, other Spaces
     * by id, or all with `null`. At most `limit` are read of the Space, and as many elsewhere.
     */
    async listThreads(
      spaceId: string,
      agentId: string,
      { activeId, elsewhere, limit }: ThreadFilter,
    ): Promise<ThreadRow[]> {
      const { rows } = await db.query<ThreadRow>(
        `select recent.id, space_id, spaces.slug as space_slug, spaces.name as space_name, title, summary,
           last_activity_at, chosen_at, said.at as last_said_at,
           exists (select from turns where conversation_id = recent.id and status in ('queued', 'running')) as busy,
           exists (
             select from research_runs where conversation_id = recent.id and research_runs.status = 'paused'
           ) as held
         from (
           (
             select id, space_id, title, summary, last_activity_at, chosen_at
             from conversations
             where space_id = $1 and agent_id = $2 and status = 'active' and deleted_at is null
             order by (id = $3::uuid) desc nulls last, last_activity_at desc, id desc
             limit $4
           )
           union all
           (
             select latest.*
             from spaces
             cross join lateral (
               select id, space_id, title, summary, last_activity_at, chosen_at
               from conversations
               where space_id = spaces.id and agent_id = $2 and status = 'active' and deleted_at is null
               order by last_activity_at desc
               limit $4
             ) as latest
             where spaces.id <> $1 and spaces.deleted_at is null and ($5::uuid[] is null or spaces.id = any($5))
             order by last_activity_at desc
             limit $4
           )
         ) as recent
         join spaces on spaces.id = recent.space_id
         left join lateral (
           select created_at as at
           from messages
           where conversation_id = recent.id
           order by seq desc
           limit 1
         ) as said on true
         order by (space_id = $1) desc, (recent.id = $3::uuid) desc nulls last, last_activity_at desc, recent.id desc`,
        [spaceId, agentId, activeId, limit, elsewhere],
      )
      return rows.filter(
        ({ last_said_at, space_id }, index) => last_said_at !== null || (index === 0 && space_id === spaceId),
      )
    },

    async insert(decision: NewRoutingDecision): Promise<void> {
      await db.query(
        `insert into routing_decisions
           (id, space_id, turn_id, conversation_id, active_id, choice, decided_by, reason, known, model, answer,
            duration_ms)
         values ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12)`,
        [
          decision.id,
          decision.space_id,
          decision.turn_id,
          decision.conversation_id,
          decision.active_id,
          decision.choice,
          decision.decided_by,
          decision.reason,
          JSON.stringify(decision.known),
          decision.model,
          decision.answer,
          decision.duration_ms,
        ],
      )
    },

    /** Stores where a turn was asked that belongs to a conversation of another Space. */
    async insertForwarded(turn: { id: string; space_id: string; key: string | null }): Promise<void> {
      await db.query('insert into forwarded_turns (turn_id, space_id, idempotency_key) values ($1, $2, $3)', [
        turn.id,
        turn.space_id,
        turn.key,
      ])
    },

    /** By id alone: for the owner, who may enter every Space. Locks it until the transaction ends. */
    async lockAnywhere(id: string): Promise<RoutingDecision | null> {
      const { rows } = await db.query<RoutingDecision>(
        `select ${columns}
         from routing_decisions
         where id = $1
           and exists (select from spaces where spaces.id = space_id and spaces.deleted_at is null)
         for update`,
        [id],
      )
      return rows[0] ?? null
    },

    /** The decision of a turn, unless it was undone. */
    async findOfTurn(turnId: string): Promise<RoutingDecision | null> {
      const { rows } = await db.query<RoutingDecision>(
        `select ${columns}
         from routing_decisions
         where turn_id = $1 and undone_at is null`,
        [turnId],
      )
      return rows[0] ?? null
    },

    /**
     * Moves a turn with its messages and drafts to another conversation of its Space, in one statement. Both are then to be
     * indexed anew; one without messages is no longer found. The caller holds the locks of both conversations.
     */
    async moveTurn(turn: Pick<TurnRow, 'id' | 'conversation_id'>, conversationId: string): Promise<void> {
      await db.query(
        `with turn as (
           update turns
           set conversation_id = $3
           where id = $1
           returning id
         ), said as (
           update messages
           set conversation_id = $3
           from turn
           where messages.turn_id = turn.id
         ), outdated as (
           delete from indexed_conversations
           where conversation_id in ($2, $3)
         ), unfound as (
           delete from chunks
           where entity_id = $2 and entity_type = 'conversation'
             and not exists (
               select from messages where conversation_id = $2 and turn_id is distinct from $1
             )
         )
         update pending_changes
         set conversation_id = $3
         from turn
         where pending_changes.turn_id = turn.id`,
        [turn.id, turn.conversation_id, conversationId],
      )
    },

    async markUndone(id: string, conversationId: string): Promise<RoutingDecision> {
      const { rows } = await db.query<RoutingDecision>(
        `update routing_decisions
         set undone_at = coalesce(undone_at, now()), undone_to = $2
         where id = $1
         returning ${columns}`,
        [id, conversationId],
      )
      return rows[0]!
    },

    /** Newest first, of the given Spaces; `before` is the id of the last one seen. */
    async list(filter: {
      space_ids: readonly string[]
      before: string | null
      limit: number
    }): Promise<RoutingDecision[]> {
      const { rows } = await db.query<RoutingDecision>(
        `select ${columns}
         from routing_decisions
         where space_id = any($1) and ($2::uuid is null or id < $2)
         order by id desc
         limit $3`,
        [filter.space_ids, filter.before, filter.limit],
      )
      return rows
    },
  }
}
