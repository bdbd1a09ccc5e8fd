// Stretches in which the only thread did nothing else: a timer that fires late says how long, and the routes that were
// being answered since it last fired say where to look. Never what they were given.

import type { Health } from '../../contract/health.ts'
import type { Logger } from '../../core/logger.ts'

export type Stalls = {
  /** A request of a route, by its pattern, is being answered until the returned function is called. */
  enter(route: string): () => void
  /** The timer has fired: logs a stall since it last did. */
  tick(): void
  /** The longest of the last hour. */
  worst(): Health['worst_stall']
  /** Starts the timer; returns how to stop it. */
  start(): () => void
}

const tickMs = 100
/** A stall that a person notices. */
const minStallMs = 250
const keptMs = 3_600_000

/** `clock` is monotonic, in milliseconds. */
export function createStalls(
  logger: Logger,
  now: () => Date,
  clock: () => number = () => performance.now(),
): Stalls {
  const active = new Map<string, number>()
  let since = new Set<string>()
  let last = clock()
  let stalls: { duration_ms: number; at: Date }[] = []
  const prune = () => {
    stalls = stalls.filter(({ at }) => now().getTime() - at.getTime() < keptMs)
  }

  const tick = () => {
    const duration_ms = Math.round(clock() - last - tickMs)
    if (duration_ms > minStallMs) {
      logger.warn({ duration_ms, routes: [...since] }, 'event loop stalled')
      prune()
      stalls.push({ duration_ms, at: now() })
    }
    last = clock()
    since = new Set(active.keys())
  }

  return {
    enter(route) {
      active.set(route, (active.get(route) ?? 0) + 1)
      since.add(route)
      return () => {
        const left = active.get(route)! - 1
        if (left > 0) active.set(route, left)
        else active.delete(route)
      }
    },
    tick,
    worst() {
      prune()
      const [worst] = stalls.toSorted((a, b) => b.duration_ms - a.duration_ms)
      return worst ? { duration_ms: worst.duration_ms, at: worst.at.toISOString() } : null
    },
    start() {
      last = clock()
      const timer = setInterval(tick, tickMs).unref()
      return () => clearInterval(timer)
    },
  }
}
