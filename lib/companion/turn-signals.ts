// What servers tell each other about turns: there is more to read, somebody wants it stopped. Both are hints; the
// database holds what is true, and whoever waits looks there from time to time.

import type { Notifications } from '../db/notifications.ts'

export type TurnSignals = {
  /** There is more to read of a turn. Told once for all that happens within a moment. */
  tellChange(turnId: string): void
  tellStop(turnId: string): void
  /** Resolves when the turn is told to have changed, when the time is up, or when the signal is aborted. */
  whenChanged(turnId: string, ms: number, signal: AbortSignal): Promise<void>
  /** The function returned ends it. */
  onStop(handler: (turnId: string) => void): () => void
}

const channels = { change: 'void_turn_changed', stop: 'void_turn_stop' } as const

/** Changes within this many milliseconds are told in one word. */
const gatherMs = 20

export function createTurnSignals({ notify, listen }: Notifications): TurnSignals {
  const waiting = new Map<string, Set<() => void>>()
  const changed = new Set<string>()
  let listening = false

  return {
    tellChange(turnId) {
      if (changed.size === 0) setTimeout(tellAll, gatherMs)
      changed.add(turnId)
    },
    tellStop: (turnId) => notify(channels.stop, turnId),

    whenChanged(turnId, ms, signal) {
      if (!listening) listen(channels.change, wakeAll)
      listening = true
      return new Promise((resolve) => {
        const wakes = waiting.get(turnId) ?? new Set()
        const wake = () => {
          clearTimeout(timer)
          signal.removeEventListener('abort', wake)
          wakes.delete(wake)
          if (wakes.size === 0) waiting.delete(turnId)
          resolve()
        }
        const timer = setTimeout(wake, ms)
        signal.addEventListener('abort', wake)
        waiting.set(turnId, wakes.add(wake))
        if (signal.aborted) wake()
      })
    },

    onStop: (handler) => listen(channels.stop, handler),
  }

  function wakeAll(turnId: string): void {
    for (const wake of [...(waiting.get(turnId) ?? [])]) wake()
  }

  function tellAll(): void {
    const ids = [...changed]
    changed.clear()
    for (const id of ids) notify(channels.change, id)
  }
}
