import type { Effect } from '../../../lib/contract/events/effects.ts'
import type { TurnEvent } from '../../../lib/contract/events/events.ts'
import type { App } from '../../app/app.ts'
import type { RailDesk } from '../state/rail-context.ts'
import { keepOffer } from '../turn/effect-links.ts'
import { createOwnTurns } from './own-turns.ts'

export type EffectRunner = {
  /** A turn that was started in this tab: its effects are this tab's. */
  begin(turnId: string): void
  /** Applies what an event of a running turn does to the view. `offer` gets what the owner has to open themselves. */
  onEvent(turnId: string | null, seq: number, event: TurnEvent, offer: (effect: Effect) => void): void
}

/** `thread`: what the conversation is called. */
export function createEffectRunner(app: App, { applyEffect }: RailDesk, thread: () => string): EffectRunner {
  const own = createOwnTurns(sessionStorage)
  let last: Promise<unknown> = Promise.resolve()

  return {
    begin: own.begin,
    onEvent(turnId, seq, event, offer) {
      markReading(app, event)
      const effect = effectOf(event)
      if (!effect || turnId === null || !own.claim(turnId, seq, JSON.stringify(event.data))) return
      const call = event.type === 'effect' ? event.data.tool_use_id : null
      const origin = { turn: turnId, call, thread: thread() }
      // In order: a panel is there before the next is put beside it.
      last = last
        .then(async () => {
          if (!(await applyEffect(effect, origin))) keep()
        })
        .catch(keep)

      // The link stays when the page is loaded again.
      function keep(): void {
        keepOffer(turnId!, effect!)
        offer(effect!)
      }
    },
  }
}

/** A draft of a new page opens at the address that the page will have. */
function effectOf(event: TurnEvent): Effect | null {
  if (event.type === 'effect') return event.data.effect
  const card = event.type === 'draft' ? event.data.card : null
  if (card?.operation !== 'create' || card.entity_type !== 'page' || card.status !== 'pending') return null
  const { space, entity_id: id, title } = card
  return {
    type: 'openPanel',
    panel: { space_id: space.id, kind: 'page', id, title, draft: true },
    side: 'here',
  }
}

/** An entity counts as being in use from a call about it until the answer goes on. */
function markReading({ state }: App, event: TurnEvent): void {
  const over = event.type === 'delta' || event.type === 'done' || event.type === 'error'
  if (over && state.get().reading.length > 0) state.set({ reading: [] })
  const id = event.type === 'tool' ? idOf(event.data.args) : null
  if (id !== null && !state.get().reading.includes(id))
    state.set(({ reading }) => ({ reading: [...reading, id] }))
}

/** The entity that a call is about, where its arguments name one. */
function idOf(args: unknown): string | null {
  if (typeof args !== 'object' || args === null) return null
  const id: unknown = Reflect.get(args, 'entity_id') ?? Reflect.get(args, 'id')
  return typeof id === 'string' ? id : null
}
