import { setTimeout as delay } from 'node:timers/promises'
import { openDatabase, type Queryable } from '../../../lib/db/pool.ts'
import type { Measurement } from './measurement.ts'
import { median } from './statistics.ts'

const rounds = 5
const tickMs = 5
const rows = 2_000_000

/** What a long statement costs those who only stream. */
export const stalls: Measurement = {
  name: 'stalls',
  about: `a timer of ${tickMs} ms while a statement runs over ${rows} rows, on PGlite`,
  async run(log) {
    const database = await openDatabase({})
    try {
      log(`each the median of ${rounds} statements`)
      const measured = []
      for (let n = 0; n < rounds; n += 1) measured.push(await tickWhile(() => work(database)))
      return [
        { name: 'the statement', unit: 'ms', value: median(measured.map(({ took }) => took)) },
        {
          name: 'longest time between two ticks meanwhile',
          unit: 'ms',
          value: median(measured.map(({ longest }) => longest)),
          bound: { kind: 'at most', value: 50 },
        },
      ]
    } finally {
      await database.close()
    }
  },
}

const work = (db: Queryable) =>
  db.query('select sum(n % 7) from generate_series(1, $1::integer) as n', [rows])

async function tickWhile(run: () => Promise<unknown>): Promise<{ took: number; longest: number }> {
  let running = true
  let longest = 0
  const ticking = (async () => {
    for (let last = performance.now(); running; ) {
      await delay(tickMs)
      const now = performance.now()
      longest = Math.max(longest, now - last)
      last = now
    }
  })()
  const began = performance.now()
  await run()
  const took = performance.now() - began
  running = false
  await ticking
  return { took, longest }
}
