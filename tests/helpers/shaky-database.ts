// A database whose connection breaks at a statement of the test's choice: before it was done, or after it was, with its
// answer lost.

import { databaseUnavailable } from '../../lib/core/errors.ts'
import type { Database, Tx } from '../../lib/db/pool.ts'

export type Break = 'before' | 'after'

export type ShakyDatabase = {
  database: Database
  /** Breaks at the nth statement from now on, counted from 1; the end of a transaction counts as one. */
  breakAt(nth: number, when: Break): void
  /** From now on no statement goes through; resolves them all with the function that it returns. */
  freeze(): () => void
  /** The statements since the last `breakAt`, and whether the break has come. */
  seen(): { statements: string[]; broken: boolean }
  /** The statements that are sent while `run` runs; none of them breaks. */
  statementsOf(run: () => Promise<unknown>): Promise<string[]>
}

export function createShakyDatabase(whole: Database): ShakyDatabase {
  let statements: string[] = []
  let fault: { nth: number; when: Break } | null = null
  let broken = false
  let thawed: Promise<void> | null = null

  async function pass<Result>(text: string, run: () => Promise<Result>): Promise<Result> {
    if (thawed) await thawed
    const isFault = fault?.nth === statements.push(text)
    if (isFault) broken = true
    if (isFault && fault?.when === 'before') throw away()
    const result = await run()
    if (isFault) throw away()
    return result
  }

  const query: Database['query'] = (text, values) => pass(text, () => whole.query(text, values))
  const within = (tx: Tx): Tx => ({
    ...tx,
    query: (text, values) => pass(text, () => tx.query(text, values)),
  })

  return {
    database: {
      ...whole,
      query,
      async transaction(work) {
        if (thawed) await thawed
        const result = await whole.transaction(async (tx) => {
          const done = await work(within(tx))
          if (fault?.when === 'before') await pass('commit', async () => {})
          return done
        })
        if (fault?.when === 'after') await pass('commit', async () => {})
        return result
      },
    },
    breakAt,
    freeze() {
      const { promise, resolve } = Promise.withResolvers<void>()
      thawed = promise
      return () => {
        thawed = null
        resolve()
      }
    },
    seen: () => ({ statements, broken }),
    async statementsOf(run) {
      breakAt(Number.POSITIVE_INFINITY, 'before')
      await run()
      return [...statements]
    },
  }

  function breakAt(nth: number, when: Break): void {
    statements = []
    broken = false
    fault = { nth, when }
  }
}

const away = () => databaseUnavailable(new Error('the connection broke'))
