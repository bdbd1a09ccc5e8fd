import type { Queryable } from '../pool.ts'

export type RoutingDecisionRow = {
  id: string
  space_id: string
  turn_id: string
  /** The conversation that was chosen. */
  conversation_id: string
  /** The one in use before. */
  active_id: string | null
  choice: 'continue' | 'resume' | 'new'
  decided_by: 'obvious' | 'model' | 'rules' | 'fallback'
  reason: string
  /** What the router knew. */
  known: unknown
  model: string | null
  answer: string | null
  duration_ms: number
  created_at: string
  undone_at: string | null
  /** Where the turn was moved. */
  undone_to: string | null
}

export type NewRoutingDecision = Omit<RoutingDecisionRow, 'created_at' | 'undone_at' | 'undone_to'>

const columns = `id, space_id, turn_id, conversation_id, active_id, choice, decided_by, reason, known, model, answer,
  duration_ms, created_at, undone_at, undone_to`

export type RoutingDecisionsRepo = ReturnType<typeof createRoutingDecisionsRepo>

/** What the router decided, turn by turn, with what it knew. */
export function createRoutingDecisionsRepo(db: Queryable) {
  return {
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

    /** By id alone: for the owner, who may enter every Space. Locks it until the transaction ends. */
    async lockAnywhere(id: string): Promise<RoutingDecisionRow | null> {
      const { rows } = await db.query<RoutingDecisionRow>(
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
    async findOfTurn(turnId: string): Promise<RoutingDecisionRow | null> {
      const { rows } = await db.query<RoutingDecisionRow>(
        `select ${columns}
         from routing_decisions
         where turn_id = $1 and undone_at is null`,
        [turnId],
      )
      return rows[0] ?? null
    },

    /** Moves a turn with its messages and drafts to another conversation of its Space, in one statement. */
    async moveTurn(turnId: string, conversationId: string): Promise<void> {
      await db.query(
        `with turn as (
           update turns
           set conversation_id = $2
           where id = $1
           returning id
         ), said as (
           update messages
           set conversation_id = $2
           from turn
           where messages.turn_id = turn.id
         )
         update pending_changes
         set conversation_id = $2
         from turn
         where pending_changes.turn_id = turn.id`,
        [turnId, conversationId],
      )
    },

    async markUndone(id: string, conversationId: string): Promise<RoutingDecisionRow> {
      const { rows } = await db.query<RoutingDecisionRow>(
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
    }): Promise<RoutingDecisionRow[]> {
      const { rows } = await db.query<RoutingDecisionRow>(
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
