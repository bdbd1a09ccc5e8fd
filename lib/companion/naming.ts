// Titles and summaries of conversations, kept while nobody waits: after a turn has ended, in the background. A title that
// the owner gave is never touched; a failure leaves the first words where they are.

import { z } from 'zod'
import { type CallModel, readJsonAnswer } from '../ai/model.ts'
import {
  type CurrentModel,
  type ModelProvider,
  offlineName,
  replacedName,
} from '../ai/models/model-provider.ts'
import type { SideModels } from '../ai/models/side-models.ts'
import { prompts } from '../ai/prompts/prompts.ts'
import type { Logger } from '../core/logger.ts'
import { cleanLine } from '../core/text/clean.ts'
import type { Database } from '../db/pool.ts'
import { createConversationTitlesRepo } from '../db/repos/conversation_titles.ts'
import { createMessagesRepo } from '../db/repos/messages.ts'
import type { Live } from '../space/live/live.ts'
import { asLine, maxSummaryLength, summarizeByWords } from './turn/summarize-by-words.ts'

type NamingDeps = {
  database: Database
  models: ModelProvider
  sideModels: SideModels
  live: Live
  logger: Logger
  /** Idle time after which a conversation is described, in milliseconds. Default: 2 s. */
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

export type Naming = {
  /** Describes a conversation as after this turn of it. */
  add(conversationId: string, turnId: string): void
  /** Describes what an earlier server left undescribed. */
  resume(): Promise<void>
}

/** What a running server describes by itself is more recent. */
const leftMs = 60_000
const maxResumed = 200

/**
 * Describes conversations in the background once they have been quiet for `quietMs`, so that turns in quick succession
 * cost one call; one that never falls quiet is described within `maxDelayMs`. Ends when the readers of `live` are let go.
 */
export function startNaming(deps: NamingDeps): Naming {
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

  return {
    add,
    async resume() {
      const quietSince = new Date(Date.now() - leftMs)
      const owed = await createConversationTitlesRepo(deps.database).listNamingOwed(quietSince, maxResumed)
      for (const { id, naming_owed } of owed) add(id, naming_owed)
    },
  }

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
  const conversations = createConversationTitlesRepo(database)
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
    const title = titled_by === 'words' && !conversation.is_research ? found.title : null
    const row = await conversations.describe(space_id, id, { ...found, title, by: 'model', settles: turnId })
    if (row && row.title !== conversation.title) {
      live.publish({ type: 'conversation', data: { id, space_id, state: row.status } })
    }
    return
  }
  const words = summarizeByWords(conversation.questions, conversation.answer)
  // A model that failed is asked again by the next server.
  const settles = small ? null : turnId
  if (words !== summary || settles)
    await conversations.describe(space_id, id, { title: null, summary: words, by: 'words', settles })
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

// What a conversation is called by a small model.

type Said = { role: 'user' | 'assistant'; body: string }

type Description = { title: string; summary: string }

const maxTitleLength = 80

const answer = z.object({ title: z.string(), summary: z.string() })

/**
 * A title and a summary by a model, from what was said first and last. `null` when its answer is none. Rejects as the
 * model does. Both are one line, short, and free of characters that hide or turn round what they say.
 */
export async function describeByModel(
  callModel: CallModel,
  said: readonly Said[],
  signal: AbortSignal,
): Promise<Description | null> {
  const excerpts = said.map(({ role, body }) => ({
    by: role === 'user' ? 'owner' : 'assistant',
    text: cleanLine(body.slice(0, 1200)).slice(0, 600).toWellFormed(),
  }))
  const content = JSON.stringify({ conversation: excerpts })
  const { text } = await callModel({
    system: prompts.naming.text,
    messages: [{ role: 'user', content }],
    tools: [],
    signal,
  })
  const found = readJsonAnswer(text, answer)
  const title = found && asLine(found.title, maxTitleLength)
  return title ? { title, summary: asLine(found.summary, maxSummaryLength) } : null
}
