// Titles and summaries are kept while nobody waits: after a turn has ended, in the background. A title that the owner
// gave is never touched; a failure leaves the first words where they are.

import {
  type CurrentModel,
  type ModelProvider,
  offlineName,
  replacedName,
} from '../../ai/models/model-provider.ts'
import type { SideModels } from '../../ai/models/side-models.ts'
import type { Logger } from '../../core/logger.ts'
import type { Database } from '../../db/pool.ts'
import { createConversationsRepo } from '../../db/repos/conversations.ts'
import { createMessagesRepo } from '../../db/repos/messages.ts'
import type { Live } from '../../space/live/live.ts'
import { describeByModel, type Said, summarizeByWords } from './describe.ts'

export type NamingDeps = {
  database: Database
  models: ModelProvider
  sideModels: SideModels
  live: Live
  logger: Logger
  /** Milliseconds without a turn after which a conversation is described; left out: 2 s. */
  quietMs?: number | undefined
}

const maxDelayMs = 30_000
/** Conversations described at once. */
const maxConcurrent = 4
const timeoutMs = 20_000
/** However it ended, something was said. */
const endedStates = ['done', 'stopped', 'failed']
/** The latest messages that a model is shown, beside the first question. */
const maxShown = 6

/**
 * Describes conversations in the background once they have been quiet for `quietMs`, so that turns in quick succession
 * cost one call; one that never falls quiet is described within `maxDelayMs`. Ends when the readers of `live` are let go.
 */
export function startNaming(deps: NamingDeps): void {
  const { live, logger, quietMs = 2000 } = deps
  const closing = new AbortController()
  const waiting = new Map<string, Waiting>()
  const active = new Set<string>()
  let timer: NodeJS.Timeout | undefined

  live.subscribe(
    ({ type, data, elsewhere }) => {
      if (type === 'turn' && data.state === 'ended' && !elsewhere) add(data.conversation_id, data.turn_id)
    },
    null,
    () => {
      closing.abort()
      clearTimeout(timer)
    },
  )

  function add(conversationId: string, turnId: string): void {
    const at = performance.now()
    const { lateAt = at + maxDelayMs } = waiting.get(conversationId) ?? {}
    waiting.set(conversationId, { turnId, quietAt: at + quietMs, lateAt })
    schedule()
  }

  function schedule(): void {
    const isIdle = waiting.size === 0 || active.size >= maxConcurrent || closing.signal.aborted
    if (!isIdle) timer ??= setTimeout(work, quietMs).unref()
  }

  function work(): void {
    timer = undefined
    const at = performance.now()
    for (const [id, entry] of waiting) {
      if (active.size >= maxConcurrent) break
      if (active.has(id) || Math.min(entry.quietAt, entry.lateAt) > at) continue
      waiting.delete(id)
      void name(id, entry)
    }
    schedule()
  }

  async function name(conversationId: string, { turnId }: Waiting): Promise<void> {
    active.add(conversationId)
    try {
      await describe(deps, turnId, closing.signal)
    } catch (error) {
      if (closing.signal.aborted) return
      logger.warn({ err: error, conversation_id: conversationId }, 'conversation not named')
    } finally {
      active.delete(conversationId)
      schedule()
    }
  }
}

/** The last turn of a conversation that ended and is not described yet. Times as of `performance.now`. */
type Waiting = { turnId: string; quietAt: number; lateAt: number }

async function describe(deps: NamingDeps, turnId: string, closing: AbortSignal): Promise<void> {
  const { database, models, sideModels, live } = deps
  const conversations = createConversationsRepo(database)
  const conversation = await conversations.findAfterTurn(turnId)
  if (!conversation || !endedStates.includes(conversation.turn_status)) return

  const { id, space_id, titled_by, summary } = conversation
  // A turn that no model of the provider answered is no business of the small one either.
  const mayAsk =
    ![null, offlineName, replacedName].includes(conversation.turn_model) && models.small() !== null
  const call = { purpose: 'naming' as const, space_id, conversation_id: id, turn_id: turnId }
  const small = mayAsk ? await sideModels.small(call) : null
  const found = small && (await askModel(deps, small, id, closing))
  if (found) {
    const title = titled_by === 'words' ? found.title : null
    const row = await conversations.describe(space_id, id, { ...found, title, by: 'model' })
    if (row && row.title !== conversation.title) {
      live.publish({ type: 'conversation', data: { id, space_id, state: row.status } })
    }
    return
  }
  const words = summarizeByWords(conversation.questions, conversation.answer)
  if (words !== summary)
    await conversations.describe(space_id, id, { title: null, summary: words, by: 'words' })
}

async function askModel(
  { database, logger }: NamingDeps,
  { callModel }: CurrentModel,
  id: string,
  closing: AbortSignal,
) {
  const messages = createMessagesRepo(database)
  const latest = await messages.listLatest(id, null, maxShown)
  const first = await messages.findFirst(id)
  const said: Said[] = first && first.id !== latest[0]?.id ? [first, ...latest] : latest
  const signal = AbortSignal.any([closing, AbortSignal.timeout(timeoutMs)])
  try {
    return await describeByModel(callModel, said, signal)
  } catch (error) {
    if (closing.aborted) throw error
    logger.info({ err: error, conversation_id: id }, 'small model returned no title')
    return null
  }
}
