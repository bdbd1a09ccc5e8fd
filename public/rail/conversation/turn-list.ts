import type { Store } from '../../app/state.ts'
import type { ConversationState } from '../state/conversation-part.ts'
import { type Answer, emptyAnswer, type Turn } from '../state/turn-state.ts'

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
