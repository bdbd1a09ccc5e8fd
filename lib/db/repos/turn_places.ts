// Which of several turns at one place is shown.

import type { Queryable } from '../pool.ts'
import { seqOf } from './messages.ts'
import type { TurnRow } from './turns.ts'

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
