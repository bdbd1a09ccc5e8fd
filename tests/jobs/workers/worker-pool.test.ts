import { expect, test } from 'vitest'
import { StoppedThread, type ThreadLimits } from '../../../lib/jobs/workers/limited-thread.ts'
import { createWorkerPool } from '../../../lib/jobs/workers/worker-pool.ts'

const source = `
  export const double = (n) => 2 * n
  export const never = () => { for (;;); }
  export const eat = () => { const all = []; for (;;) all.push({ n: all.length }) }
  export const fail = () => { throw new Error('no such word') }
  export const exit = () => process.exit(1)
`
const module = `data:text/javascript,${encodeURIComponent(source)}`
const limits: ThreadLimits = { timeoutMs: 60_000, heapMb: 32, growthMb: 1024 }
const createPool = (some: Partial<ThreadLimits> = {}) =>
  createWorkerPool({ limits: { ...limits, ...some }, size: 1, maxWaiting: 1 })
const call = (name: string, input: unknown = null) => ({ module, name, input })

test.each([
  ['never ends', 'never', { timeoutMs: 300 }, /longer than/],
  ['eats memory', 'eat', {}, /MB of memory/],
  ['throws', 'fail', {}, /no such word/],
  ['ends its thread', 'exit', {}, /stopped/],
])('a computation that %s costs its thread, and the next one runs', async (_, name, within, message) => {
  const pool = createPool(within)

  const stopped = await pool.run(call(name)).catch((error: unknown) => error)

  expect(stopped).toBeInstanceOf(StoppedThread)
  expect(String(stopped)).toMatch(message)
  expect(await createPool().run(call('double', 21))).toBe(42)
  if (name !== 'never') expect(await pool.run(call('double', 21))).toBe(42)
})

test('so many run, so many wait, and more are refused', async () => {
  const pool = createPool({ timeoutMs: 3000 })

  const answers = await Promise.all(
    [1, 2, 3].map((n) => pool.run(call('double', n)).catch((error: unknown) => error)),
  )

  expect(answers.slice(0, 2)).toEqual([2, 4])
  expect(answers[2]).toBeInstanceOf(StoppedThread)
  expect(await pool.run(call('double', 4))).toBe(8)
})
