// What asks a server to stop: a signal, or the end of the npm that started it.

import type { Console } from './console.ts'

/** Limits of a stop: for running answers, for handing them over, for closing connections, for everything after that. */
export type StopLimits = Readonly<{ graceMs: number; handOverMs: number; partingMs: number; tidyMs: number }>

export const stopLimits: StopLimits = { graceMs: 10_000, handOverMs: 2000, partingMs: 1000, tidyMs: 5000 }
/** Less than two seconds in all: the next start needs the port and the data folder. */
const orphanLimits: StopLimits = { graceMs: 0, handOverMs: 300, partingMs: 100, tidyMs: 900 }

/** The last is a terminal that was closed. */
const signals = ['SIGINT', 'SIGTERM', 'SIGHUP'] as const
/** A terminal interrupts npm and the server, and npm passes its own interrupt on: the second one is the same. */
const sameSignalMs = 500
const lookEveryMs = 250

/**
 * Ends the process on a signal while it starts, which the store survives as it survives a crash. The returned function
 * ends that.
 */
export function endOnSignal(): () => void {
  const end = () => process.exit(0)
  for (const signal of signals) process.on(signal, end)
  return () => {
    for (const signal of signals) process.off(signal, end)
  }
}

/**
 * Runs `stop` on the first signal, or when the process `parent` that started this one has ended, and then ends the
 * process. A later signal ends it at once.
 */
export function stopWhenAsked(
  stop: (limits: StopLimits) => Promise<void>,
  { parent, console }: { parent: number | null; console: Console },
): void {
  let askedAt: number | null = null

  for (const signal of signals) {
    process.on(signal, () => {
      if (askedAt === null) ask(stopLimits)
      else if (performance.now() - askedAt > sameSignalMs) process.exit(1)
    })
  }
  if (parent === null) return
  const timer = setInterval(() => {
    if (process.ppid === parent) return
    clearInterval(timer)
    if (askedAt === null) ask(orphanLimits)
  }, lookEveryMs)
  timer.unref()

  function ask(given: StopLimits): void {
    askedAt = performance.now()
    stop(given).then(
      () => process.exit(0),
      (error: unknown) => {
        console.error('Void did not stop cleanly.', error)
        process.exit(1)
      },
    )
  }
}
