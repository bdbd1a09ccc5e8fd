import type { RoutingDecision } from '../../contract/companion/turns.ts'
import type { Queryable } from '../pool.ts'

export type NewRoutingDecision = Omit<RoutingDecision, 'created_at' | 'undone_at' | 'undone_to'>

const columns = `id, space_id, turn_id, conversation_id, active_id, choice, decided_by, reason, known, model, answer,
  duration_ms, created_at, undone_at, undone_to`

/** Stores the decision that is given as JSON in a parameter; nothing when that is null. */
export const routingInsert = (parameter: string) => `
  insert into routing_decisions
    (id, space_id, turn_id, conversation_id, active_id, choice, decided_by, reason, known, model, answer, duration_ms)
  select id, space_id, turn_id, conversation_id, active_id, choice, decided_by, reason, known, model, answer, duration_ms
  from json_to_record(${parameter}::json) as decision (
    id uuid, space_id uuid, turn_id uuid, conversation_id uuid, active_id uuid, choice text, decided_by text,
    reason text, known json, model text, answer text, duration_ms integer
  )
  where ${parameter}::json is not null`

/** What the router decided, turn by turn, with what it knew. */
export function createRoutingDecisionsRepo(db: Queryable) {
  return {
    async insert(decision: NewRoutingDecision): Promise<void> {
      await db.query(routingInsert('$1'), [JSON.stringify(decision)])
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
