// Messages that wait while another one is answered.

import { v7 as uuid } from 'uuid'
import { isUniqueViolation } from '../../db/pg-errors.ts'
import type { Database } from '../../db/pool.ts'
import {
  createQueuedTurnsRepo,
  type EditedMessage,
  type PromotedTurn,
  type QueuedTurn,
} from '../../db/repos/queued_turns.ts'
import { createTurnsRepo, type LeaseTerms, type TurnRow } from '../../db/repos/turns.ts'
import { conflict, notFound } from '../../errors.ts'

export type TurnQueue = {
  /** What waits in a conversation, the next one first. */
  list(conversationId: string): Promise<QueuedTurn[]>
  /** Other words for a message that waits. Throws `AppError`: 404, or 409 `not_queued` once its turn has come. */
  edit(turnId: string, asked: EditedMessage): Promise<QueuedTurn>
  /** Takes a message back. Throws as `edit` does; one that was taken back already stays so. */
  withdraw(turnId: string): Promise<TurnRow>
  /** Makes the next turn of a conversation one that runs here. `null` when there is nothing to start. */
  takeNext(conversationId: string): Promise<PromotedTurn | null>
}

export function createTurnQueue(database: Database, terms: LeaseTerms): TurnQueue {
  const queue = createQueuedTurnsRepo(database)

  return {
    list: (conversationId) => queue.list(conversationId),

    async edit(turnId, asked) {
      return (await queue.edit(turnId, asked)) ?? refuse(await find(turnId))
    },

    async withdraw(turnId) {
      const withdrawn = await queue.withdraw(turnId, {
        seq: 3,
        type: 'error',
        data: JSON.stringify(takenBack),
      })
      if (withdrawn) return withdrawn
      const turn = await find(turnId)
      return turn.stop_reason === 'withdrawn' ? turn : refuse(turn)
    },

    async takeNext(conversationId) {
      try {
        return await queue.promote(conversationId, terms, uuid())
      } catch (error) {
        if (isUniqueViolation(error, 'turns_one_running')) return null
        throw error
      }
    },
  }

  async function find(turnId: string): Promise<TurnRow> {
    const turn = await createTurnsRepo(database).find(turnId)
    if (!turn) throw notFound('turn', turnId)
    return turn
  }
}

const takenBack = {
  code: 'withdrawn',
  message: 'This message was withdrawn.',
  retryable: false,
}

function refuse({ id, status }: TurnRow): never {
  throw conflict('not_queued', `Turn ${id} is no longer queued.`, { status })
}
