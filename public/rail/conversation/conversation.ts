// The conversation of the rail: what is shown, and what happens when a message is sent. Browser only.

import type { CompanionState, LastRouting } from '../../../lib/contract/companion/companion.ts'
import type { TurnEvent } from '../../../lib/contract/events/events.ts'
import { researchCommand } from '../../../lib/contract/limits.ts'
import { type Api, ApiError, createIdempotencyKey, messageOf } from '../../app/api/api.ts'
import { readEvents } from '../../app/api/live.ts'
import type { App, Subject } from '../../app/app.ts'
import { createStore, type Store } from '../../app/state.ts'
import { nudgeName, savedText, unsentName } from '../../app/storage/saved-text.ts'
import { messageRequest } from '../composer/message-request.ts'
import {
  type ConversationPart,
  type ConversationState,
  type RailDesk,
  type Sending,
  type ThreadContext,
  toConversationState,
} from '../state/conversation-part.ts'
import { emptyAnswer, type Question } from '../state/turn-state.ts'
import { createThreadSync, createTurnList, type TurnList } from './thread-sync.ts'
import { createTurnEvents } from './turn-events.ts'

type ConversationOptions = {
  app: App
  desk: RailDesk
  spaceId: string
  initial: CompanionState
  signal: AbortSignal
}

export function createConversation({
  app,
  desk,
  spaceId,
  initial,
  signal,
}: ConversationOptions): ConversationPart {
  const state = createStore<ConversationState>(toConversationState(initial))
  const turns = createTurnList(state)
  // A message that the server has not stored yet returns to the field when the page is reloaded.
  const unsent = savedText(unsentName(spaceId))
  const nudge = savedText(nudgeName(spaceId))
  const onEvent = createTurnEvents({ app, desk, state, turns, onStored, onRouting })
  const sync = createThreadSync({ app, spaceId, state, turns, follow, signal })
  let nudged: string | null = null
  let changing: Promise<unknown> = Promise.resolve()

  const part: ConversationPart = {
    state,
    send,
    stop: () => stopTurn(app, state, turns),
    loadOlder: createOlderLoader(app, state),
    reload: () => sync.reload(),
    async change(request) {
      const changed = request().then(() => sync.reload(true))
      changing = changed.catch(() => {})
      await changed
    },
  }
  if (initial.last_routing) onRouting(initial.last_routing)
  if (initial.running_turn_id) sync.resume(initial.running_turn_id)
  watchThread({ app, spaceId, part }, signal)
  return part

  async function send(
    text: string,
    subject: Subject | null,
    { here, files = [], screenshot, thinking }: Sending = {},
  ): Promise<void> {
    unsent.write(text)
    await changing
    const hasMentions = /@|\[\[/.test(text)
      ? (await import('../composer/mention.ts')).namedIn(text, state.get(), spaceId)
      : null
    const begun = here?.replaces ? '' : nudge.read()
    const attached = {
      ...(files.length > 0 && { attachments: files.map(({ id }) => id) }),
      screenshot: screenshot?.data,
      ...(begun && { glance: begun }),
      ...(thinking && { thinking }),
    }
    const message = { text, subject }
    if (state.get().running) {
      const { enqueue } = await import('../composer/queue.ts')
      await enqueue({ app, spaceId, part }, desk, { ...message, body: { ...hasMentions?.body, ...attached } })
      unsent.write('')
      nudge.write('')
      return
    }
    const key = addQuestion({ text, pages: hasMentions?.pages, files, screenshot: screenshot?.url })
    if (begun) nudged = key
    // Asking another companion is a word within the thread that is shown.
    const place = here || hasMentions?.body.agent_id ? 'conversation_id' : 'active_conversation_id'
    const body = { [place]: state.get().conversation_id, ...hasMentions?.body, ...attached, ...here }
    const request = messageRequest({ app, desk, spaceId }, { ...message, key, body })
    await follow(key, () => request(signal))
  }

  function onStored(key: string): void {
    unsent.write('')
    if (nudged === key) nudge.write('')
  }

  function addQuestion(message: Omit<Question, 'at'>): string {
    const key = createIdempotencyKey()
    const text = message.text.replace(researchCommand, '').trim() || message.text
    const question = { ...message, text, at: app.now().toISOString() }
    // The server names a new thread after the first words in it.
    state.set(({ turns, title }) => ({
      turns: [...turns, { key, id: null, cursor: null, question, answer: emptyAnswer }],
      running: key,
      title: title || text.replace(/\s+/g, ' ').trim().slice(0, 80),
    }))
    return key
  }

  async function follow(key: string, start: () => Promise<Response>): Promise<void> {
    await followTurn({ api: app.api, turns, onEvent, signal }, key, start)
    if (signal.aborted) return
    state.set(({ running }) => ({ running: running === key ? null : running }))
    if (sync.isBehind() || state.get().queued.length > 0) sync.reload()
  }

  function onRouting(how: LastRouting, from?: string): void {
    import('../threads/routing-notice.ts').then(({ showRouting }) =>
      showRouting({ app, spaceId, signal, part }, how, from),
    )
  }
}

async function stopTurn(app: App, state: Store<ConversationState>, turns: TurnList): Promise<void> {
  const { running } = state.get()
  const id = running && turns.find(running)?.id
  if (id) await app.api.post(`/api/turns/${id}/stop`)
}

/** Loads older messages, one page at a time. */
function createOlderLoader({ api }: App, state: Store<ConversationState>): () => Promise<void> {
  let loading = false
  return async () => {
    if (!state.get().more || loading) return
    loading = true
    try {
      const { loadOlder } = await import('../state/load-older.ts')
      await loadOlder(api, state)
    } finally {
      loading = false
    }
  }
}

/** Follows what happens to the thread elsewhere. */
function watchThread(context: ThreadContext, signal: AbortSignal): void {
  const { app, spaceId, part } = context
  app.live.on((event) => {
    const { conversation_id, queued, running, turns } = part.state.get()
    if (event.type === 'hello' && !event.data.resumed) part.reload()
    if (event.type === 'companion') part.reload()
    if (event.type === 'conversation' && event.data.id === conversation_id) {
      import('../threads/routing-notice.ts').then(({ refreshThread }) => refreshThread(context, event.data))
    }
    if (event.type !== 'turn' || event.data.space_id !== spaceId) return
    if (event.data.conversation_id !== conversation_id) return
    if (event.data.state === 'queued' || queued.length > 0)
      import('../composer/queue.ts').then(({ refreshQueue }) => refreshQueue(context))
    if (event.data.state !== 'started' || running) return
    if (!turns.some(({ id }) => id === event.data.turn_id)) part.reload()
  }, signal)
}

// Reads the events of a turn to its end. The server runs a turn whoever listens, so a broken connection is resumed by
// reading the events after the last one that came.

type FollowOptions = {
  api: Api
  turns: TurnList
  onEvent: (key: string, event: TurnEvent, seq: number) => void
  signal: AbortSignal
}

/** About a minute and a half in all: the server may be restarting. */
const maxAttempts = 15

const retryDelayMs = (attempt: number) => Math.min(300 * 2 ** attempt, 8000)

/** `start` asks for the turn. Resolves when it has ended, or cannot be read; never rejects. */
async function followTurn(
  { api, turns, onEvent, signal }: FollowOptions,
  key: string,
  start: () => Promise<Response>,
): Promise<void> {
  let after = 0
  let open = start
  for (let attempt = 0; !signal.aborted; attempt += 1) {
    const before = after
    try {
      if (await readTurn(await open())) return
      throw new ApiError(0, 'unreachable', 'Connection lost.')
    } catch (error) {
      if (signal.aborted) return
      if (!isTransient(error) || attempt === maxAttempts) return fail(error)
      turns.changeAnswer(key, (answer) => ({ ...answer, note: 'Connection lost. Reconnecting…' }))
      if (after > before) attempt = 0
      await delay(retryDelayMs(attempt))
      const id = turns.find(key)?.id
      if (id) open = () => api.fetch(`/api/turns/${id}/events?after=${after}`, { signal })
    }
  }

  /** Whether the turn's last event came. */
  async function readTurn(response: Response): Promise<boolean> {
    if (!response.body) return false
    for await (const { id, type, data } of readEvents(response.body)) {
      after = Number(id)
      const event = { type, data: JSON.parse(data) } as TurnEvent
      onEvent(key, event, after)
      if (event.type === 'done' || event.type === 'error') return true
    }
    return false
  }

  function fail(error: unknown): void {
    const code = error instanceof ApiError ? error.code : 'unreachable'
    const problem = { code, message: messageOf(error), retryable: true }
    turns.changeAnswer(key, (answer) => ({ ...answer, state: 'failed', problem, note: null }))
  }
}

const isTransient = (error: unknown) => !(error instanceof ApiError) || [0, 503].includes(error.status)

const delay = (ms: number) => new Promise((resolve) => setTimeout(resolve, ms))
