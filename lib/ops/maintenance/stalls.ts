// Detects event loop stalls: a timer that fires late gives the duration, and the routes active since its last tick hint
// at the cause. Never logs their arguments.

import type { Health } from '../../contract/health.ts'
import type { Logger } from '../../core/logger.ts'

export type Stalls = {
  /** Marks a request of a route, by its pattern, as active until the returned function is called. */
  enter(route: string): () => void
  /** Timer tick: logs a stall since the last one. */
  tick(): void
  /** The longest of the last hour. */
  worst(): Health['worst_stall']
  /** Starts the timer; returns a function that stops it. */
  start(): () => void
}

const tickMs = 100
/** Minimum duration that a person notices. */
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
