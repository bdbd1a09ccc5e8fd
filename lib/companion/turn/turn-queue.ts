// Messages that wait while another one is answered.

import { v7 as uuid } from 'uuid'
import { readContext, type UserMessage } from '../../contract/companion/companion.ts'
import { conflict, notFound } from '../../core/errors.ts'
import { firstWords } from '../../core/text/first-words.ts'
import type { Database, Queryable } from '../../db/pool.ts'
import { createConversationsRepo } from '../../db/repos/conversations.ts'
import { createMessagesRepo } from '../../db/repos/messages.ts'
import { createResearchRunsRepo } from '../../db/repos/research_runs.ts'
import {
  createTurnsRepo,
  type LeaseTerms,
  type MessageChanges,
  type QueuedTurn,
  type TurnRow,
} from '../../db/repos/turns.ts'
import type { StoredMessage } from './running-turn.ts'

/**
 * Makes the next turn of a conversation one that runs here. A research run that waits in the conversation by now gets
 * the message, whenever that was sent. `null` when there is nothing to start.
 */
export async function beginNext(
  database: Database,
  terms: LeaseTerms,
  conversationId: string,
): Promise<{ turn: TurnRow; message: StoredMessage } | null> {
  return await database.transaction(async (tx) => {
    await createConversationsRepo(tx).lock(conversationId)
    const queued = await createTurnsRepo(tx).begin(conversationId, terms)
    if (!queued) return null
    const { message: stored, ...turn } = queued
    const message = { text: stored.text, ...readContext(stored) }
    const held = await createResearchRunsRepo(tx).findPaused(conversationId)
    return { turn, message: await storeMessage(tx, turn, held ? answerToRun(message, held.id) : message) }
  })
}

/** The message for a research run that waits in its conversation, where it does not say anything of research. */
export const answerToRun = (message: UserMessage, run_id: string): UserMessage => ({
  ...message,
  research: message.research ?? { run_id, go_on: false, plan: null, budget: null },
})

/** Makes the message of a turn one of its conversation. */
export async function storeMessage(
  tx: Queryable,
  { id: turn_id, conversation_id }: Pick<TurnRow, 'id' | 'conversation_id'>,
  message: UserMessage,
): Promise<StoredMessage> {
  const { text, ...context } = message
  const id = uuid()
  const words = { body: text, metadata: withoutEmpty(context) }
  await Promise.all([
    createMessagesRepo(tx).insert({ id, conversation_id, turn_id, role: 'user', agent_id: null, ...words }),
    createConversationsRepo(tx).noteActivity(conversation_id, firstWords(text)),
  ])
  return { ...message, id }
}

/** The fields that say something. */
export const withoutEmpty = (fields: object): Record<string, unknown> =>
  Object.fromEntries(
    Object.entries(fields).filter(([, value]) => (Array.isArray(value) ? value.length > 0 : value != null)),
  )

/** Changes a message that waits. Throws `AppError`: 404, or 409 `not_queued` once its turn has come. */
export async function editQueued(
  database: Database,
  turnId: string,
  changes: MessageChanges,
): Promise<QueuedTurn> {
  return (await createTurnsRepo(database).edit(turnId, changes)) ?? refuse(await find(database, turnId))
}

/** Takes a message back. Throws as `editQueued` does; one that was taken back already stays so. */
export async function withdrawQueued(database: Database, turnId: string): Promise<TurnRow> {
  const last = { seq: 3, type: 'error', data: JSON.stringify(takenBack) }
  const withdrawn = await createTurnsRepo(database).withdraw(turnId, last)
  if (withdrawn) return withdrawn
  const turn = await find(database, turnId)
  return turn.stop_reason === 'withdrawn' ? turn : refuse(turn)
}

async function find(database: Database, turnId: string): Promise<TurnRow> {
  const turn = await createTurnsRepo(database).find(turnId)
  if (!turn) throw notFound('turn', turnId)
  return turn
}

const takenBack = {
  code: 'withdrawn',
  message: 'This message was withdrawn.',
  retryable: false,
}

function refuse({ id, status }: TurnRow): never {
  throw conflict('not_queued', `Turn ${id} is no longer queued.`, { status })
}
