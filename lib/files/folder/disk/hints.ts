// Rounds that start before their time, because somebody said that something changed.

export type Hints = {
  /** From now on rounds are started by this. */
  start(wake: () => void): void
  stop(): void
  /** Starts a round after this time, in milliseconds, or earlier if one is due earlier. */
  give(ms: number): void
}

export function createHints(): Hints {
  let wake: (() => void) | null = null
  let timer: NodeJS.Timeout | undefined
  let due = Number.POSITIVE_INFINITY

  return {
    start(begin) {
      wake = begin
    },
    stop() {
      wake = null
      clearTimeout(timer)
      due = Number.POSITIVE_INFINITY
    },
    give(ms) {
      const at = performance.now() + ms
      if (wake === null || at >= due) return
      clearTimeout(timer)
      due = at
      timer = setTimeout(() => {
        due = Number.POSITIVE_INFINITY
        wake?.()
      }, ms)
      timer.unref()
    },
  }
}
