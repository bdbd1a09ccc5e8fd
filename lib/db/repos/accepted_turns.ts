import { type Actor, actorName } from '../../actor.ts'
import type { Queryable } from '../pool.ts'
import { type NewRoutingDecision, routingInsert } from './routing_decisions.ts'
import type { NamedSpace } from './spaces.ts'
import type { EventRow } from './turn_events.ts'
import { type LeaseTerms, type NewTurn, type TurnRow, turnColumns } from './turns.ts'

/** What is stored with a new turn: its first event, how it was routed, and the router's own call, if it made one. */
type Begun = { event: EventRow; routing: NewRoutingDecision | null; routerCall: string | null }

type AskedMessage = { id: string; body: string; metadata: Record<string, unknown>; title: string }

/** What the conversation of a new turn must be. */
export type Place =
  /** There. */
  | { kind: 'any' }
  /**
   * There, and nothing runs or waits in it, no research waits there for the owner, and it has no model of its own for this
   * companion.
   */
  | { kind: 'free' }
  /** New; it is made with the turn. */
  | { kind: 'new'; by: Actor }
  /** As `new`, where the companion has no active one in the Space. */
  | { kind: 'first'; by: Actor }

export function createAcceptedTurnsRepo(db: Queryable) {
  return {
    /**
     * The turn, the message that it answers, how it was routed there, its first event and the conversation with its
     * activity, in one statement; `title` is for a conversation that has none. Returned with the Space. Rejects with a
     * unique violation of `turns_one_running` while another turn runs, or of `conversations_pkey` when another message has
     * just made the conversation.
     *
     * `null`, and nothing is stored, where the Space is gone, the place is not as it must be or, in any but the first
     * kind, the idempotency key was used.
     */
    async insertRunning(
      turn: NewTurn,
      terms: LeaseTerms,
      asked: AskedMessage,
      { event, routing, routerCall, place }: Begun & { place: Place },
    ): Promise<{ turn: TurnRow; space: NamedSpace } | null> {
      const isMade = place.kind === 'new' || place.kind === 'first'
      const { rows } = await db.query<TurnRow & { space: NamedSpace }>(isMade ? opening : continuing, [
        turn.id,
        turn.space_id,
        turn.conversation_id,
        turn.agent_id,
        turn.idempotency_key,
        turn.body_hash,
        turn.model,
        terms.owner,
        terms.seconds,
        asked.id,
        asked.body,
        JSON.stringify(asked.metadata),
        asked.title,
        event.seq,
        event.type,
        event.data,
        routing && JSON.stringify(routing),
        routerCall,
        place.kind === 'free' || place.kind === 'first',
        ...(isMade ? [actorName(place.by)] : []),
      ])
      if (!rows[0]) return null
      const { space, ...row } = rows[0]
      return { turn: row, space }
    },
  }
}

const isNewKey = 'not exists (select from turns where space_id = $2 and idempotency_key = $5)'

const continuing = insertAt(
  `select space.name, space.description, space.instructions
   from spaces space
   join conversations conversation
     on conversation.space_id = space.id and conversation.id = $3 and conversation.deleted_at is null
   where space.id = $2 and space.deleted_at is null
     and (not $19::boolean or (
       (conversation.model is null or conversation.agent_id <> $4)
       and not exists (select from turns where conversation_id = $3 and status in ('queued', 'running'))
       and ${isNewKey}
       and not exists (select from research_runs where conversation_id = $3 and status = 'paused')
     ))`,
  `update conversations
   set last_activity_at = now(), title = case when title = '' then $13 else title end
   where id = $3 and exists (select from turn)`,
)

const opening = insertAt(
  `select space.name, space.description, space.instructions
   from spaces space
   where space.id = $2 and space.deleted_at is null and ${isNewKey}
     and not exists (select from conversations where id = $3)
     and not ($19::boolean and exists (
       select from conversations
       where space_id = $2 and agent_id = $4 and status = 'active' and deleted_at is null
     ))`,
  `insert into conversations (id, space_id, agent_id, created_by, title)
   select $3::uuid, $2::uuid, $4::uuid, $20::text, $13::text
   from place`,
)

function insertAt(place: string, conversation: string): string {
  return `
    with place as (
      ${place}
    ), turn as (
      insert into turns
        (id, space_id, conversation_id, agent_id, status, idempotency_key, body_hash, model, lease_owner, lease_until)
      select $1::uuid, $2::uuid, $3::uuid, $4::uuid, 'running', $5::text, $6::text, $7::text, $8::text,
        now() + make_interval(secs => $9)
      from place
      returning ${turnColumns}
    ), event as (
      insert into turn_events (turn_id, seq, type, data)
      select id, $14::integer, $15::text, $16::text from turn
    ), message as (
      insert into messages (id, conversation_id, turn_id, role, body, metadata)
      select $10::uuid, conversation_id, id, 'user', $11::text, $12::json from turn
    ), conversation as (
      ${conversation}
    ), routing as (${routingInsert('$17')} and exists (select from turn)), router_call as (
      update side_calls
      set turn_id = $1, conversation_id = $3
      where id = $18::uuid and exists (select from turn)
    )
    select turn.*, to_json(place) as space from turn, place`
}
