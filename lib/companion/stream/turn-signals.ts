// What servers notify each other of about turns: there is more to read, a stop was requested. Both are hints; the
// database holds what is true, and whoever waits looks there from time to time.

import type { Notifications } from '../../db/notifications.ts'

export type TurnSignals = {
  /** There is more to read of a turn. Told once for all that happens within a moment. */
  notifyChange(turnId: string): void
  notifyStop(turnId: string): void
  /**
   * Resolves when the turn is reported as changed, when the time is up, or when the signal is aborted. Whoever waits
   * for the same turn is woken together, at the first one's time, so that they can look together.
   */
  whenChanged(turnId: string, ms: number, signal: AbortSignal): Promise<void>
  /** The function returned ends it. */
  onStop(handler: (turnId: string) => void): () => void
}

const channels = { change: 'void_turn_changed', stop: 'void_turn_stop' } as const

/** Changes within this many milliseconds share one notification. */
const flushDelayMs = 20

export function createTurnSignals({ notify, listen }: Notifications): TurnSignals {
  const waiting = new Map<string, { wakes: Set<() => void>; alarms: Map<number, NodeJS.Timeout> }>()
  const changed = new Set<string>()
  let listening = false

  return {
    notifyChange(turnId) {
      if (changed.size === 0) setTimeout(flushAll, flushDelayMs)
      changed.add(turnId)
    },
    notifyStop: (turnId) => notify(channels.stop, turnId),

    whenChanged(turnId, ms, signal) {
      if (!listening) listen(channels.change, wakeAll)
      listening = true
      return new Promise((resolve) => {
        const group = waiting.get(turnId) ?? { wakes: new Set(), alarms: new Map() }
        const wake = () => {
          signal.removeEventListener('abort', wake)
          group.wakes.delete(wake)
          if (group.wakes.size === 0) disband(turnId)
          resolve()
        }
        signal.addEventListener('abort', wake)
        waiting.set(turnId, group)
        group.wakes.add(wake)
        if (!group.alarms.has(ms)) group.alarms.set(ms, setTimeout(wakeAll, ms, turnId))
        if (signal.aborted) wake()
      })
    },

    onStop: (handler) => listen(channels.stop, handler),
  }

  function wakeAll(turnId: string): void {
    for (const wake of [...(waiting.get(turnId)?.wakes ?? [])]) wake()
  }

  function disband(turnId: string): void {
    for (const alarm of waiting.get(turnId)?.alarms.values() ?? []) clearTimeout(alarm)
    waiting.delete(turnId)
  }

  function flushAll(): void {
    const ids = [...changed]
    changed.clear()
    for (const id of ids) notify(channels.change, id)
  }
}
