// The conversation of the rail: what is shown, and what happens when something is said. Browser only. The server runs
// a turn to its end whoever listens, so a broken connection is taken up again by reading the turn's events anew.

import type { CompanionState, LastRouting, QueuedMessage } from '../../lib/contract/companion.ts'
import type { Effect } from '../../lib/contract/effects.ts'
import type { TurnEvent } from '../../lib/contract/events.ts'
import { ApiError, messageOf } from '../api.ts'
import { type App, lookedAt } from '../app.ts'
import { keepDraft, unsentName } from '../drafts.ts'
import { readEvents } from '../sse.ts'
import { createStore, type Store } from '../state.ts'
import type { Subject } from '../view.ts'
import type { CarryOut } from './carry-out.ts'
import { newKey } from './new-key.ts'
import { openDesk } from './open-desk.ts'
import { type Answer, applyEvent, emptyAnswer, type Turn, toTurns } from './turn-state.ts'

export type ConversationState = Pick<
  CompanionState,
  'conversation_id' | 'title' | 'agent' | 'more' | 'questions'
> & {
  turns: readonly Turn[]
  /** The key of the turn that is being answered. */
  running: string | null
  /** What waits for its turn. */
  queued: readonly QueuedMessage[]
}

export type ConversationPart = {
  state: Store<ConversationState>
  /**
   * Says something: to the thread that it belongs to, or `here`, to the one that is shown. Resolves when the answer has
   * ended, however it did. While another one is written it waits for its turn; that rejects when it cannot.
   */
  send(text: string, subject: Subject | null, here?: boolean): Promise<void>
  stop(): Promise<void>
  /** Says the question of a turn again. */
  retry(turn: Turn): Promise<void>
  loadOlder(): Promise<void>
  /** Shows the thread in use as the server has it. */
  reload(): Promise<void>
  /** Has another thread put in use, and shows it. What is said meanwhile is said there. */
  change(ask: () => Promise<unknown>): Promise<void>
}

type Deps = { app: App; spaceId: string; initial: CompanionState; signal: AbortSignal }

/** Tries to take a broken connection up again, about a minute and a half in all: a server may be starting anew. */
const mostTries = 15
const waitMs = (attempt: number) => Math.min(300 * 2 ** attempt, 8000)

export function createConversation({ app, spaceId, initial, signal }: Deps): ConversationPart {
  const { api } = app
  const state = createStore<ConversationState>(toState(initial))
  let loadingOlder = false
  /** Whether the server has told something that is not shown, because a turn was being sent. */
  let behind = false
  let changing: Promise<unknown> = Promise.resolve()
  const routing = () => import('./routing.ts')
  const queue = () => import('./queue.ts')
  let carrying: Promise<CarryOut> | null = null
  /** Its code comes with the first turn that is read; what is told meanwhile waits for it, in order. */
  const carryOut = (tell: (to: CarryOut) => void) => {
    carrying ??= import('./carry-out.ts').then(({ createCarryOut }) => createCarryOut(app))
    carrying.then(tell, () => {})
  }
  const turnOf = (key: string) => state.get().turns.find((turn) => turn.key === key)
  if (initial.last_routing) showRouting(initial.last_routing)
  if (initial.running_turn_id) resume(initial.running_turn_id)
  app.live.on((event) => {
    if (event.type === 'hello' && !event.data.resumed) reload()
    if (event.type === 'turn' && event.data.space_id === spaceId) onTurn(event.data)
    if (event.type === 'conversation' && event.data.id === state.get().conversation_id)
      routing().then(({ refreshThread }) => refreshThread({ app, spaceId, part }, event.data.state))
  }, signal)

  // What the server has not taken yet comes back into the field when the page is loaded anew.
  const unsent = keepDraft(unsentName(spaceId))

  const part: ConversationPart = {
    state,
    reload,

    async change(ask) {
      const changed = ask().then(() => reload(true))
      changing = changed.catch(() => {})
      await changed
    },

    async send(text, subject, here) {
      unsent.write(text)
      await changing
      if (state.get().running) {
        await (await queue()).enqueue({ app, spaceId, part }, text, subject)
        unsent.write('')
        return
      }
      const key = newKey()
      const question = { text, at: app.now().toISOString() }
      const turn = { key, id: null, cursor: null, question, answer: emptyAnswer }
      // The server names a new thread after the first words in it.
      state.set(({ turns, title }) => ({
        turns: [...turns, turn],
        running: key,
        title: title || text.replace(/\s+/g, ' ').trim().slice(0, 80),
      }))
      const view = subject && { entityType: subject.entityType, entityId: subject.entityId }
      const place = here ? 'conversation_id' : 'active_conversation_id'
      const desk = openDesk(app, subject)
      const body = JSON.stringify({ text, view, desk, [place]: state.get().conversation_id })
      await follow(key, () =>
        api.fetch(`/api/spaces/${spaceId}/companion/turn`, {
          method: 'POST',
          headers: { 'content-type': 'application/json', 'idempotency-key': key },
          body,
          signal,
        }),
      )
    },

    async stop() {
      const { running, turns } = state.get()
      const id = turns.find(({ key }) => key === running)?.id
      if (id) await api.post(`/api/turns/${id}/stop`)
    },

    async retry({ question }) {
      if (question) await this.send(question.text, lookedAt(app.state.get()), true)
    },

    async loadOlder() {
      if (!state.get().more || loadingOlder) return
      loadingOlder = true
      try {
        const { loadOlder } = await import('./load-older.ts')
        await loadOlder(api, state)
      } finally {
        loadingOlder = false
      }
    },
  }
  return part

  function changeTurn(key: string, next: (turn: Turn) => Turn): void {
    state.set(({ turns }) => ({ turns: turns.map((turn) => (turn.key === key ? next(turn) : turn)) }))
  }

  function changeAnswer(key: string, next: (answer: Answer) => Answer): void {
    changeTurn(key, (turn) => ({ ...turn, answer: next(turn.answer ?? emptyAnswer) }))
  }

  /** Reads a turn to its end. `begin` asks for it; after a break, it is read on behind the last event that came. */
  async function follow(key: string, begin: () => Promise<Response>): Promise<void> {
    const cursor = { after: 0 }
    let open = begin
    for (let attempt = 0; !signal.aborted; attempt += 1) {
      const { after } = cursor
      try {
        if (await readTurn(key, await open(), cursor)) break
        throw new ApiError(0, 'unreachable', 'The connection broke.')
      } catch (error) {
        if (signal.aborted) return
        const id = state.get().turns.find((turn) => turn.key === key)?.id
        const passing = !(error instanceof ApiError) || [0, 503].includes(error.status)
        if (!passing || attempt === mostTries) {
          fail(key, error)
          break
        }
        changeAnswer(key, (answer) => ({ ...answer, note: 'The connection broke. Taking it up again …' }))
        if (cursor.after > after) attempt = 0
        await pause(waitMs(attempt))
        if (id) open = () => api.fetch(`/api/turns/${id}/events?after=${cursor.after}`, { signal })
      }
    }
    state.set(({ running }) => ({ running: running === key ? null : running }))
    if (behind || state.get().queued.length > 0) reload()
  }

  /** Whether the turn's last event came. */
  async function readTurn(key: string, response: Response, cursor: { after: number }): Promise<boolean> {
    if (!response.body) return false
    for await (const { id, type, data } of readEvents(response.body)) {
      cursor.after = Number(id)
      const event = { type, data: JSON.parse(data) } as TurnEvent
      if (event.type === 'turn') {
        const { turn_id, conversation_id, routing } = event.data
        const from = state.get().conversation_id
        unsent.write('')
        // It is not shown any more when another thread was opened meanwhile.
        if (turnOf(key)) {
          state.set({ conversation_id })
          if (routing) showRouting({ ...event.data, ...routing }, from)
        }
        // Without a name of the server's yet, it is one that was sent from here.
        if (turnOf(key)?.id === null) carryOut((to) => to.begin(turn_id))
        changeTurn(key, (turn) => ({
          ...turn,
          id: turn_id,
          cursor: turn.cursor ?? turn_id,
          answer: emptyAnswer,
        }))
      } else changeAnswer(key, (answer) => applyEvent(answer, event))
      const [turnId, seq] = [turnOf(key)?.id ?? null, cursor.after]
      const offer = (effect: Effect) =>
        changeAnswer(key, (answer) => ({ ...answer, offers: [...answer.offers, effect] }))
      carryOut((to) => to.heed(turnId, seq, event, offer))
      if (event.type === 'done' || event.type === 'error') return true
    }
    return false
  }

  function showRouting(how: LastRouting, from?: string): void {
    routing().then((module) => module.showRouting({ app, spaceId, signal, part }, how, from))
  }

  function fail(key: string, error: unknown): void {
    const known = error instanceof ApiError ? error : null
    const problem = { code: known?.code ?? 'unreachable', message: messageOf(error), retryable: true }
    changeAnswer(key, (answer) => ({ ...answer, state: 'failed', problem, note: null }))
  }

  /** Follows a turn that somebody else began: another tab, or this page before it was loaded anew. */
  function resume(id: string): void {
    const known = state.get().turns.find((turn) => turn.id === id)
    const key = known?.key ?? id
    if (!known) {
      const turn = { key, id, cursor: id, question: null, answer: emptyAnswer }
      state.set(({ turns }) => ({ turns: [...turns, turn] }))
    } else if (!known.answer) changeAnswer(key, () => emptyAnswer)
    state.set({ running: key })
    follow(key, () => api.fetch(`/api/turns/${id}/events`, { signal }))
  }

  function onTurn({
    turn_id,
    conversation_id,
    state: now,
  }: {
    turn_id: string
    conversation_id: string
    state: string
  }) {
    const { conversation_id: ours, running, turns, queued } = state.get()
    if (conversation_id !== ours) return
    if (now === 'queued' || queued.length > 0)
      queue().then(({ refreshQueue }) => refreshQueue({ app, spaceId, part }))
    if (now !== 'started' || running) return
    if (!turns.some(({ id }) => id === turn_id)) reload()
  }

  /**
   * Shows the conversation in use as the server has it. A turn that is being read here is left alone, and one that was
   * said here since the server was asked is not wiped by an answer that knows nothing of it, but for `another` thread.
   */
  async function reload(another = false): Promise<void> {
    const before = state.get().running
    const fresh = await api.get<CompanionState>(`/api/spaces/${spaceId}/companion`).catch(() => null)
    if (!fresh || signal.aborted) return
    const { running, turns } = state.get()
    const reading = turns.find(({ key }) => key === running)
    if (reading && fresh.running_turn_id === reading.id) return
    if (reading && !another && (running !== before || reading.id === null)) {
      behind = true
      return
    }
    behind = false
    state.set({ ...toState(fresh), running: null })
    if (fresh.running_turn_id) resume(fresh.running_turn_id)
  }
}

const toState = ({
  conversation_id,
  title,
  agent,
  more,
  questions,
  messages,
  cards,
  queued,
}: CompanionState) => ({
  conversation_id,
  title,
  agent,
  more,
  questions,
  turns: toTurns(messages, cards),
  running: null,
  queued,
})

const pause = (ms: number) => new Promise((resolve) => setTimeout(resolve, ms))
