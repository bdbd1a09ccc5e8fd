// Turns that nobody runs: messages that wait while another one is answered, and turns whose server died.

import { v7 as uuid } from 'uuid'
import type { LoadCards } from '../../changes/card/load-cards.ts'
import { readContext, type UserMessage } from '../../contract/companion/companion.ts'
import { conflict, invalid, notFound } from '../../core/errors.ts'
import type { Logger } from '../../core/logger.ts'
import { firstWords } from '../../core/text/bounds.ts'
import type { Database, Queryable } from '../../db/pool.ts'
import { createAgentsRepo } from '../../db/repos/agents.ts'
import { createConversationAttachmentsRepo } from '../../db/repos/conversation_attachments.ts'
import { createConversationsRepo } from '../../db/repos/conversations.ts'
import { createMessagesRepo } from '../../db/repos/messages.ts'
import { createResearchRunsRepo } from '../../db/repos/research_runs.ts'
import { createSpacesRepo } from '../../db/repos/spaces.ts'
import { createTurnStepsRepo } from '../../db/repos/turn_steps.ts'
import {
  createTurnsRepo,
  type LeaseTerms,
  type MessageChanges,
  type QueuedTurn,
  type TurnRow,
} from '../../db/repos/turns.ts'
import { readCommand } from '../research/rules/read-message.ts'
import { withCards } from '../stream/read-turn.ts'
import { fromRow, lastSeqBefore, type NumberedEvent, TurnStream } from '../stream/turn-stream.ts'
import { loadResumption } from './resumption.ts'
import { modelNameFor, type StoredMessage } from './running-turn.ts'
import { failAbandonedTurn } from './turn-outcome.ts'
import type { Launch, TurnSlots } from './turn-runners.ts'

/**
 * Makes the next turn of a conversation one that runs here. A research run that waits in the conversation by now gets
 * the message, whenever that was sent. `null` when there is nothing to start.
 */
async function beginNext(
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

/** Makes the message of a turn one of its conversation. A command says how to answer it, and is no part of it. */
export async function storeMessage(
  tx: Queryable,
  { id: turn_id, conversation_id }: Pick<TurnRow, 'id' | 'conversation_id'>,
  message: UserMessage,
): Promise<StoredMessage> {
  const { text: said, ...context } = message
  const text = readCommand(said)?.question ?? said
  const id = uuid()
  const words = { body: text, metadata: withoutEmpty(context) }
  await Promise.all([
    createMessagesRepo(tx).insert({ id, conversation_id, turn_id, role: 'user', agent_id: null, ...words }),
    createConversationsRepo(tx).noteActivity(conversation_id, firstWords(text)),
  ])
  return { ...message, text, id }
}

/** The fields that say something. */
export const withoutEmpty = (fields: object): Record<string, unknown> =>
  Object.fromEntries(
    Object.entries(fields).filter(([, value]) => (Array.isArray(value) ? value.length > 0 : value != null)),
  )

/**
 * Changes a message that waits. What its text asked for by a command follows the text. Throws `AppError`: 404, 400 for
 * mentions in research, or 409 `not_queued` once its turn has come.
 */
export async function editQueued(
  database: Database,
  turnId: string,
  changes: MessageChanges,
): Promise<QueuedTurn> {
  const turns = createTurnsRepo(database)
  const turn = await find(database, turnId)
  const before = (await turns.listQueued(turn.conversation_id)).find(({ id }) => id === turnId)
  if (!before) return refuse(turn)
  const edited = await turns.edit(turnId, {
    ...changes,
    ...commanded(before.message, changes),
    command: null,
  })
  return edited ?? refuse(await find(database, turnId))
}

/** The research that a text begins, where the one before it or this one does. */
function commanded(before: UserMessage, { text, mentions }: MessageChanges): Partial<MessageChanges> {
  const depth = readCommand(text)?.depth
  if (!depth) return readCommand(before.text) ? { research: null } : {}
  if (mentions?.length) throw invalid('mentions: research finds its sources itself.')
  return { research: { depth, rerun_of: null }, mentions: null }
}

/** Takes a message back. Throws as `editQueued` does; one that was taken back already stays so. */
export async function withdrawQueued(database: Database, turnId: string): Promise<TurnRow> {
  const last = { seq: 3, type: 'error', data: JSON.stringify(takenBack) }
  const withdrawn = await createTurnsRepo(database).withdraw(turnId, last)
  if (withdrawn) {
    await createConversationAttachmentsRepo(database).removeOfTurn(turnId)
    return withdrawn
  }
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

// Recovers orphaned turns: those of a server that died are resumed, and queued ones start when nothing runs before them.

/** What a turn needs that was not started by a request of this moment. */
export type Adopted = Pick<Launch, 'turn' | 'space' | 'agent' | 'message' | 'stream' | 'resumption'>

type TurnRecoveryDeps = {
  database: Database
  loadCards: LoadCards
  logger: Logger
  terms: LeaseTerms
  slots: TurnSlots
  /** `modelName`: what the model is called that is to answer; `null`: the configured one. */
  launch: (adopted: Adopted, modelName: string | null) => void
  /** Called when a turn was ended here without having run. */
  onFailed: (turn: TurnRow) => void
}

type TurnRecovery = {
  /** Starts the next turn of a conversation, if one is queued and none runs. Never rejects. */
  startNext(conversationId: string): Promise<void>
  /** Starts queued turns, those that wait the longest first, while there are free slots. Never rejects. */
  startWaiting(): Promise<void>
  /** Resumes turns whose server is gone, and starts queued ones. Never rejects. */
  sweep(): Promise<void>
}

/** Attempts at one turn, the first included: those that a crash ended, and all. */
const maxAttempts = 3
const maxStarts = 100

const turnsPerSweep = 20

export function createTurnRecovery(deps: TurnRecoveryDeps): TurnRecovery {
  const { database, loadCards, logger, terms, slots } = deps
  let starting = false

  return {
    startNext: (conversationId) => guard('queued turn not started', () => startNext(conversationId)),

    startWaiting,

    async sweep() {
      await guard('orphaned turns not claimed', async () => {
        const limit = Math.min(turnsPerSweep, slots.freeForResumed())
        if (limit === 0) return
        const turns = await createTurnsRepo(database).claimExpired(terms, null, limit)
        for (const turn of turns) await guard('turn not resumed', () => resume(turn))
      })
      await startWaiting()
    },
  }

  async function startWaiting(): Promise<void> {
    if (starting) return
    starting = true
    await guard('queued turns not started', async () => {
      const limit = Math.min(turnsPerSweep, slots.free())
      const idle = limit > 0 ? await createTurnsRepo(database).listIdle(limit) : []
      for (const conversationId of idle) await startNext(conversationId)
      if (idle.length < limit) slots.setWaiting(false)
    })
    starting = false
  }

  async function guard(what: string, work: () => Promise<void>): Promise<void> {
    await work().catch((error: unknown) => logger.warn({ err: error }, what))
  }

  async function resume(turn: TurnRow): Promise<void> {
    const lease = { turn_id: turn.id, attempt: turn.attempt, owner: terms.owner }
    const question = await createMessagesRepo(database).findOfTurn(turn.id, 'user')
    const { attempt, handovers } = turn
    const isExhausted = attempt - handovers > maxAttempts || attempt > maxStarts
    const isTrashed = (await createSpacesRepo(database).findNamed(turn.space_id)) === null
    if (isExhausted || isTrashed || turn.stop_requested_at !== null || !question) {
      await database.transaction((tx) => failAbandonedTurn(tx, turn, lease))
      deps.onFailed(turn)
      return
    }
    logger.info({ turn_id: turn.id, attempt: turn.attempt }, 'resuming turn')
    const resumption = await loadResumption(database, turn.id)
    const stream = await reopen(turn)
    const message = { id: question.id, text: question.body, ...readContext(question.metadata) }
    await adopt(deps, { turn, message, stream, resumption })
  }

  /** Its own events begin behind whatever readers may have had of the attempt before. */
  async function reopen(turn: TurnRow): Promise<TurnStream> {
    const [first] = await createTurnStepsRepo(database).listEvents(turn.id, 0, 1)
    const begin: NumberedEvent[] =
      first?.type === 'turn' ? [{ type: 'turn', seq: 1, data: JSON.parse(first.data) }] : []
    return new TurnStream(turn.id, begin, lastSeqBefore(turn.attempt))
  }

  async function startNext(conversationId: string): Promise<void> {
    // Whoever ends a turn and whoever lets one wait behind it both look here, after their own commit.
    if (slots.free() === 0) return
    if ((await createTurnsRepo(database).findOpen(conversationId))?.status !== 'queued') return
    const begun = await beginNext(database, terms, conversationId)
    if (!begun) return
    const { turn, message } = begun
    const rows = await createTurnStepsRepo(database).listEvents(turn.id, 0, 10)
    const logged = rows.map((row) => fromRow(row, 0))
    const stream = new TurnStream(turn.id, await withCards({ database, loadCards }, turn, logged))
    await adopt(deps, { turn, message, stream, resumption: null })
  }
}

async function adopt(
  { database, launch }: TurnRecoveryDeps,
  adopted: Pick<Adopted, 'turn' | 'message' | 'stream' | 'resumption'>,
): Promise<void> {
  const { turn } = adopted
  const space = await createSpacesRepo(database).findNamed(turn.space_id)
  const agent = await createAgentsRepo(database).findAddressed(turn)
  const conversation = await createConversationsRepo(database).find(turn.space_id, turn.conversation_id)
  if (!space || !agent) throw new Error(`the Space or the agent of turn ${turn.id} is gone`)
  launch({ ...adopted, space, agent }, conversation ? modelNameFor(agent, conversation) : agent.model)
}
