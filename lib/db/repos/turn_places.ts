// Where a turn stands: the conversation that the router chose for it, and which of several turns at one place is shown.

import type { RoutingDecision } from '../../contract/companion/turns.ts'
import type { Queryable } from '../pool.ts'
import type { ConversationRow } from './conversations.ts'
import { seqOf } from './messages.ts'
import type { TurnRow } from './turns.ts'

export type NewRoutingDecision = Omit<RoutingDecision, 'created_at' | 'undone_at' | 'undone_to'>

const columns = `id, space_id, turn_id, conversation_id, active_id, choice, decided_by, reason, known, model, answer,
  duration_ms, created_at, undone_at, undone_to`

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

/** What the router decided, turn by turn, with what it knew. */
export function createRoutingDecisionsRepo(db: Queryable) {
  return {
    /**
     * The conversations of a companion in a Space: the active one first, which is `activeId` or else the latest, then
     * others in which something was said, newest activity first. At most `limit` are looked at.
     */
    async listThreads(
      spaceId: string,
      agentId: string,
      { activeId, limit }: { activeId: string | null; limit: number },
    ): Promise<ThreadRow[]> {
      const { rows } = await db.query<ThreadRow>(
        `select recent.id, title, summary, last_activity_at, chosen_at, said.at as last_said_at,
           exists (select from turns where conversation_id = recent.id and status in ('queued', 'running')) as busy,
           exists (
             select from research_runs where conversation_id = recent.id and research_runs.status = 'paused'
           ) as held
         from (
           select id, title, summary, last_activity_at, chosen_at
           from conversations
           where space_id = $1 and agent_id = $2 and status = 'active' and deleted_at is null
           order by (id = $3::uuid) desc nulls last, last_activity_at desc, id desc
           limit $4
         ) as recent
         left join lateral (
           select created_at as at
           from messages
           where conversation_id = recent.id
           order by seq desc
           limit 1
         ) as said on true
         order by (recent.id = $3::uuid) desc nulls last, last_activity_at desc, recent.id desc`,
        [spaceId, agentId, activeId, limit],
      )
      return rows.filter(({ last_said_at }, index) => index === 0 || last_said_at !== null)
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

/** A turn as one of several at its place. */
export type VersionRow = Pick<TurnRow, 'id' | 'space_id' | 'conversation_id' | 'status'> & {
  version_of: string | null
  aside_with: string | null
  /** Its question among all messages. */
  seq: number
  /** What came with its question. */
  context: Record<string, unknown>
}

const versionColumns = `turns.id, turns.space_id, turns.conversation_id, turns.status, version_of, aside_with, messages.seq,
  messages.metadata as context`

/** Turns of a conversation from a place on, in a query with `turns`; `$1` is the conversation. */
const from = (seq: string) => `turns.id in (
  select turn_id from messages where conversation_id = $1 and role = 'user' and seq >= ${seq}
)`

/**
 * Turns that take each other's place. At each place one is shown, with what followed it there; the others are put aside,
 * each with what was shown behind it when it was left.
 */
export function createTurnVersionsRepo(db: Queryable) {
  return {
    /** A turn that has begun, in a conversation and a Space that are not deleted. */
    async find(id: string): Promise<VersionRow | null> {
      const { rows } = await db.query<VersionRow>(
        `select ${versionColumns}
         from turns
         join messages on messages.turn_id = turns.id and role = 'user'
         join conversations on conversations.id = turns.conversation_id and conversations.deleted_at is null
         join spaces on spaces.id = turns.space_id and spaces.deleted_at is null
         where turns.id = $1`,
        [id],
      )
      return rows[0] ?? null
    },

    /** The version that is shown at the place of another one. */
    async findShown(conversationId: string, versionOf: string): Promise<VersionRow | null> {
      const { rows } = await db.query<VersionRow>(
        `select ${versionColumns}
         from turns
         join messages on messages.turn_id = turns.id and role = 'user'
         where turns.conversation_id = $1 and version_of = $2 and aside_with is null`,
        [conversationId, versionOf],
      )
      return rows[0] ?? null
    },

    /** Puts a turn aside with all that is shown behind it, but for `exceptId`. False when it is not shown. */
    async putAside(
      conversationId: string,
      { id, seq }: Pick<VersionRow, 'id' | 'seq'>,
      exceptId: string | null,
    ): Promise<boolean> {
      const { rows } = await db.query<{ id: string }>(
        `update turns
         set aside_with = $3
         where conversation_id = $1 and aside_with is null and ($4::uuid is null or id <> $4) and ${from('$2')}
         returning id`,
        [conversationId, seq, id, exceptId],
      )
      return rows.some((row) => row.id === id)
    },

    /** Shows a turn again that was put aside, with all that was put aside with it. */
    async show(conversationId: string, id: string): Promise<void> {
      await db.query(
        `update turns
         set aside_with = null
         where conversation_id = $1 and aside_with = $2`,
        [conversationId, id],
      )
    },

    /** Makes turns versions of one place; returns how many there are by now. */
    async join(conversationId: string, versionOf: string, ids: readonly string[]): Promise<number> {
      await db.query(
        `update turns
         set version_of = $2
         where conversation_id = $1 and id = any($3)`,
        [conversationId, versionOf, ids],
      )
      const { rows } = await db.query<{ count: number }>(
        'select count(*)::integer as count from turns where conversation_id = $1 and version_of = $2',
        [conversationId, versionOf],
      )
      return rows[0]!.count
    },

    /** Whether a turn has other versions, or follows one that is not shown. */
    async isVersioned(id: string): Promise<boolean> {
      const { rows } = await db.query<{ versioned: boolean }>(
        'select version_of is not null or aside_with is not null as versioned from turns where id = $1',
        [id],
      )
      return rows[0]?.versioned === true
    },

    /** Forgets what a conversation's older messages came to, where a place is among them. */
    async dropSummary(conversationId: string, seq: number): Promise<void> {
      await db.query(
        `update conversations
         set running_summary = '', summarized_until = null
         where id = $1 and ${seqOf('summarized_until')} >= $2`,
        [conversationId, seq],
      )
    },

    /** Deletes the running summaries that reach to the question of a turn. */
    async dropSummaries(conversationIds: readonly string[], turnId: string): Promise<void> {
      await db.query(
        `update conversations
         set running_summary = '', summarized_until = null
         where id = any($1)
           and ${seqOf('summarized_until')} >= (select min(seq) from messages where turn_id = $2)`,
        [conversationIds, turnId],
      )
    },
  }
}
