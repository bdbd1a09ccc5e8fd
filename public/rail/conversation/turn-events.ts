import type { LastRouting } from '../../../lib/contract/companion/companion.ts'
import type { Effect } from '../../../lib/contract/events/effects.ts'
import type { TurnEvent } from '../../../lib/contract/events/events.ts'
import type { App } from '../../app/app.ts'
import type { Store } from '../../app/state.ts'
import type { ConversationState, RailDesk } from '../state/conversation-part.ts'
import { applyEvent, emptyAnswer } from '../state/turn-state.ts'
import type { EffectRunner } from './run-effects.ts'
import type { TurnList } from './thread-sync.ts'

export type TurnEventsOptions = {
  app: App
  desk: RailDesk
  state: Store<ConversationState>
  turns: TurnList
  /** The server has stored the message with that key. */
  onStored: (key: string) => void
  /** `from`: the thread that was shown before. */
  onRouting: (routing: LastRouting, from: string) => void
}

/** Applies each event of a turn to the conversation, and its effects to the view. */
export function createTurnEvents({ app, desk, state, turns, onStored, onRouting }: TurnEventsOptions) {
  let loading: Promise<EffectRunner> | null = null

  return function onEvent(key: string, event: TurnEvent, seq: number): void {
    if (event.type === 'turn') onStart(key, event.data)
    else turns.changeAnswer(key, (answer) => applyEvent(answer, event))
    const id = turns.find(key)?.id ?? null
    const offer = (effect: Effect) =>
      turns.changeAnswer(key, (answer) => ({ ...answer, offers: [...answer.offers, effect] }))
    withEffects((effects) => effects.onEvent(id, seq, event, offer))
  }

  function onStart(key: string, data: Extract<TurnEvent, { type: 'turn' }>['data']): void {
    const { turn_id, conversation_id, routing } = data
    const from = state.get().conversation_id
    const existing = turns.find(key)
    onStored(key)
    // It is not shown any more when another thread was opened meanwhile.
    if (existing && routing?.space) onRouting({ ...data, ...routing }, from)
    else if (existing) {
      state.set({ conversation_id })
      if (routing) onRouting({ ...data, ...routing }, from)
    }
    // Without an id it is one that was sent from here.
    if (existing?.id === null) withEffects((effects) => effects.begin(turn_id))
    const { companions } = state.get()
    const author = companions.find(({ id }) => id === data.agent_id) ?? companions[0]!
    turns.change(key, (turn) => ({
      ...turn,
      author,
      id: turn_id,
      answer: emptyAnswer,
    }))
  }

  /** Its code is loaded with the first event; events that arrive earlier are passed on in order. */
  function withEffects(use: (effects: EffectRunner) => void): void {
    loading ??= import('./run-effects.ts').then(({ createEffectRunner }) =>
      createEffectRunner(app, desk, () => state.get().title),
    )
    loading.then(use, () => {})
  }
}
