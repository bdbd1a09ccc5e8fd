import type { Effect } from '../../lib/contract/effects.ts'
import type { TurnEvent } from '../../lib/contract/events.ts'
import type { App } from '../app.ts'
import { createOwnTurns } from '../desk/own-turns.ts'

export type CarryOut = {
  /** A turn that was begun in this tab: its effects are this tab's. */
  begin(turnId: string): void
  /** Carries out what an event of a running turn does to the view. `offer` gets what the owner is to do themselves. */
  heed(turnId: string | null, seq: number, event: TurnEvent, offer: (effect: Effect) => void): void
}

export function createCarryOut(app: App): CarryOut {
  const own = createOwnTurns(sessionStorage)
  let last: Promise<unknown> = Promise.resolve()

  return {
    begin: own.begin,
    heed(turnId, seq, event, offer) {
      noteReading(app, event)
      if (event.type !== 'effect' || turnId === null || !own.claim(turnId, seq, JSON.stringify(event.data)))
        return
      const { effect } = event.data
      // One after the other: a panel is there before the next is put beside it.
      last = last
        .then(async () => {
          if (!(await app.applyEffect(effect))) offer(effect)
        })
        .catch(() => offer(effect))
    },
  }
}

/** What was read counts as being read until something is said of it. */
function noteReading({ state }: App, event: TurnEvent): void {
  const over = event.type === 'delta' || event.type === 'done' || event.type === 'error'
  if (over && state.get().reading.length > 0) state.set({ reading: [] })
  const id = event.type === 'tool' && event.data.tool === 'read' ? idOf(event.data.args) : null
  if (id !== null && !state.get().reading.includes(id))
    state.set(({ reading }) => ({ reading: [...reading, id] }))
}

/** The entity that a call is about, where its arguments name one. */
function idOf(args: unknown): string | null {
  const id: unknown = typeof args === 'object' && args !== null ? Reflect.get(args, 'id') : null
  return typeof id === 'string' ? id : null
}
