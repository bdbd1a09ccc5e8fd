import type { CompanionState } from '../../../lib/contract/companion/companion.ts'
import type { App } from '../../app/app.ts'
import type { Store } from '../../app/state.ts'
import { type ConversationState, toConversationState } from '../state/conversation-part.ts'
import { type Answer, emptyAnswer, type Turn } from '../state/turn-state.ts'

type ThreadSync = {
  /**
   * Shows the conversation in use as the server has it. A turn that is being read here is left alone, and a message that
   * was sent after the request stays, unless the reload is for `another` thread.
   */
  reload(another?: boolean): Promise<void>
  /** Follows a turn that was started elsewhere: in another tab, or by this page before it was reloaded. */
  resume(turnId: string): void
  /** Whether the server has something that is not shown, because a turn was being sent. */
  isBehind(): boolean
}

type SyncOptions = {
  app: App
  spaceId: string
  state: Store<ConversationState>
  turns: TurnList
  follow: (key: string, start: () => Promise<Response>) => Promise<void>
  signal: AbortSignal
}

export function createThreadSync({ app, spaceId, state, turns, follow, signal }: SyncOptions): ThreadSync {
  const { api } = app
  let behind = false
  return { reload, resume, isBehind: () => behind }

  async function reload(another = false): Promise<void> {
    const before = state.get().running
    const fresh = await api.get<CompanionState>(`/api/spaces/${spaceId}/companion`).catch(() => null)
    if (!fresh || signal.aborted) return
    const { running } = state.get()
    const reading = running === null ? undefined : turns.find(running)
    if (reading && fresh.running_turn_id === reading.id) return
    if (reading && !another && (running !== before || reading.id === null)) {
      behind = true
      return
    }
    behind = false
    state.set(toConversationState(fresh))
    if (fresh.running_turn_id) resume(fresh.running_turn_id)
  }

  function resume(id: string): void {
    const existing = state.get().turns.find((turn) => turn.id === id)
    const key = existing?.key ?? id
    if (!existing) turns.add({ key, id, cursor: null, question: null, answer: emptyAnswer })
    else if (!existing.answer) turns.changeAnswer(key, () => emptyAnswer)
    state.set({ running: key })
    follow(key, () => api.fetch(`/api/turns/${id}/events`, { signal }))
  }
}

export type TurnList = {
  find(key: string): Turn | undefined
  add(turn: Turn): void
  change(key: string, next: (turn: Turn) => Turn): void
  changeAnswer(key: string, next: (answer: Answer) => Answer): void
}

/** The turns of a conversation's state, changed by key. */
export function createTurnList(state: Store<ConversationState>): TurnList {
  const change: TurnList['change'] = (key, next) =>
    state.set(({ turns }) => ({ turns: turns.map((turn) => (turn.key === key ? next(turn) : turn)) }))

  return {
    change,
    find: (key) => state.get().turns.find((turn) => turn.key === key),
    add: (turn) => state.set(({ turns }) => ({ turns: [...turns, turn] })),
    changeAnswer: (key, next) =>
      change(key, (turn) => ({ ...turn, answer: next(turn.answer ?? emptyAnswer) })),
  }
}
