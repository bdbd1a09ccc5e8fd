import { setTimeout as delay } from 'node:timers/promises'

type GatherOptions = {
  /** Milliseconds for which what is asked is gathered. */
  forMs: number
  /** Items of one run. */
  most: number
}

type Gathering<Item, Result> = {
  /** Resolves with the result of its item, or rejects when that failed by itself, too. */
  add(item: Item): Promise<Result>
  /** How many items wait for the next run. */
  waiting(): number
  /** Resolves when nothing waits any more. */
  idle(): Promise<void>
}

/**
 * Runs together what is asked for within a moment, one run at a time: many small statements cost far more than one large
 * one. `run` resolves with the results in the order of its items. When a run fails, each of its items is run alone, so
 * that none fails for another.
 */
export function createGathering<Item, Result>(
  { forMs, most }: GatherOptions,
  run: (items: Item[]) => Promise<Result[]>,
): Gathering<Item, Result> {
  type Entry = { item: Item } & PromiseWithResolvers<Result>
  const waiting: Entry[] = []
  let running: Promise<void> | null = null

  return {
    add(item) {
      const entry = { item, ...Promise.withResolvers<Result>() }
      waiting.push(entry)
      running ??= runAll()
      return entry.promise
    },
    waiting: () => waiting.length,
    async idle() {
      await running
    },
  }

  async function runAll(): Promise<void> {
    while (waiting.length > 0) {
      await delay(forMs)
      const entries = waiting.splice(0, most)
      await settle(entries).catch(() =>
        Promise.all(entries.map((entry) => settle([entry]).catch((error: unknown) => entry.reject(error)))),
      )
    }
    running = null
  }

  async function settle(entries: readonly Entry[]): Promise<void> {
    const results = await run(entries.map(({ item }) => item))
    for (const [at, { resolve }] of entries.entries()) resolve(results[at]!)
  }
}
