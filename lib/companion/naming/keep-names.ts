// Titles and summaries are kept while nobody waits: after a turn has ended, in the background. A title that the owner
// gave is never touched; a failure leaves the first words where they are.

import type { Database } from '../../db/pool.ts'
import { type AfterTurnRow, createConversationsRepo } from '../../db/repos/conversations.ts'
import { createMessagesRepo } from '../../db/repos/messages.ts'
import type { Live } from '../../live/live.ts'
import type { Logger } from '../../logger.ts'
import type { CurrentModel, ModelProvider } from '../model-provider.ts'
import type { SideModels } from '../side-models.ts'
import { describeByModel, type Said, summarizeByWords } from './describe.ts'

export type NamingDeps = {
  database: Database
  models: ModelProvider
  sideModels: SideModels
  live: Live
  logger: Logger
}

const patienceMs = 20_000
/** Turns after which a conversation is described again, because it has moved on. */
const milestones: ReadonlySet<number> = new Set([1, 4, 12, 36, 100, 300, 1000])
/** Turns in which a model that failed is asked again. */
const tries = 3
/** The latest messages that a model is shown, beside the first question. */
const mostShown = 6

/** Names conversations as their turns end on this server, until the readers of `live` are let go. */
export function keepNames(deps: NamingDeps): void {
  const { live, logger } = deps
  const closing = new AbortController()
  /** Conversations that are being named, each with the turn that ended meanwhile. */
  const busy = new Map<string, string | null>()

  live.subscribe(
    ({ type, data, elsewhere }) => {
      if (type === 'turn' && data.state === 'ended' && !elsewhere)
        void name(data.conversation_id, data.turn_id)
    },
    null,
    () => closing.abort(),
  )

  async function name(conversationId: string, turnId: string): Promise<void> {
    const isBusy = busy.has(conversationId)
    busy.set(conversationId, isBusy ? turnId : null)
    if (isBusy) return
    try {
      await describe(deps, turnId, closing.signal)
    } catch (error) {
      if (!closing.signal.aborted) {
        logger.warn({ err: error, conversation_id: conversationId }, 'a conversation could not be named')
      }
    }
    const next = busy.get(conversationId)
    busy.delete(conversationId)
    if (next && !closing.signal.aborted) void name(conversationId, next)
  }
}

async function describe(deps: NamingDeps, turnId: string, closing: AbortSignal): Promise<void> {
  const { database, models, sideModels, live } = deps
  const conversations = createConversationsRepo(database)
  const conversation = await conversations.findAfterTurn(turnId)
  if (conversation?.turn_status !== 'done') return

  const { id, space_id, titled_by, summary } = conversation
  // A turn that another model than the configured one answered is no business of the small one either.
  const mayAsk = conversation.turn_model === models.current().name && models.small() !== null
  const call = { purpose: 'naming' as const, space_id, conversation_id: id, turn_id: turnId }
  const small = mayAsk && isDue(conversation) ? await sideModels.small(call) : null
  const found = small && (await askModel(deps, small, id, closing))
  if (found) {
    const title = titled_by === 'words' ? found.title : null
    const row = await conversations.describe(space_id, id, { ...found, title, by: 'model' })
    if (row && row.title !== conversation.title) {
      live.publish({ type: 'conversation', data: { id, space_id, state: row.status } })
    }
    return
  }
  if (titled_by === 'model' || (mayAsk && summary !== '')) return
  const words = summarizeByWords(conversation.questions)
  if (words !== summary)
    await conversations.describe(space_id, id, { title: null, summary: words, by: 'words' })
}

const isDue = ({ titled_by, turns }: AfterTurnRow) =>
  milestones.has(turns) || (titled_by === 'words' && turns <= tries)

async function askModel(
  { database, logger }: NamingDeps,
  { callModel }: CurrentModel,
  id: string,
  closing: AbortSignal,
) {
  const messages = createMessagesRepo(database)
  const latest = await messages.listLatest(id, null, mostShown)
  const first = await messages.findFirst(id)
  const said: Said[] = first && first.id !== latest[0]?.id ? [first, ...latest] : latest
  const signal = AbortSignal.any([closing, AbortSignal.timeout(patienceMs)])
  try {
    return await describeByModel(callModel, said, signal)
  } catch (error) {
    if (closing.aborted) throw error
    logger.info({ err: error, conversation_id: id }, 'the small model gave a conversation no name')
    return null
  }
}
