import { setImmediate as nextTurn } from 'node:timers/promises'
import type pg from 'pg'
import { expect, test, vi } from 'vitest'
import { createBatches } from '../../lib/db/batches.ts'

type Answer = PromiseWithResolvers<pg.QueryResult>
type Sent = { text: string; answer: Answer }

/** A pool of that many connections whose statements the test answers, and what each connection was given at once. */
function fakePool(connections: number) {
  const writes: Sent[][] = []
  const released: unknown[] = []
  let free = connections
  let refusal: Error | null = null
  const callers: (() => void)[] = []

  function client() {
    let corked: Sent[] | null = null
    return {
      connection: {
        stream: {
          cork: () => {
            corked = []
          },
          uncork: () => {
            if (corked) writes.push(corked)
            corked = null
          },
        },
      },
      query({ text }: { text: string }) {
        const sent = { text, answer: Promise.withResolvers<pg.QueryResult>() }
        if (corked) corked.push(sent)
        else writes.push([sent])
        return sent.answer.promise
      },
      release(error?: Error) {
        released.push(error)
        free += 1
        callers.shift()?.()
      },
    }
  }

  async function connect() {
    if (refusal) throw refusal
    if (free === 0) await new Promise<void>((resolve) => callers.push(resolve))
    free -= 1
    return client()
  }

  return {
    pool: { connect } as unknown as pg.Pool,
    writes,
    released,
    refuse(error: Error | null) {
      refusal = error
    },
    texts: () => writes.map((write) => write.map(({ text }) => text)),
    answer(text: string) {
      const sent = writes.flat().findLast((sent) => sent.text === text)!
      sent.answer.resolve({ rows: [{ text }] } as unknown as pg.QueryResult)
    },
    fail(text: string, error: Error) {
      writes
        .flat()
        .find((sent) => sent.text === text)!
        .answer.reject(error)
    },
  }
}

const numbered = (from: number, count: number) => Array.from({ length: count }, (_, n) => `${from + n}`)

test('what is asked at once goes out as one, and each gets its own answer', async () => {
  const { pool, texts, answer, fail, released } = fakePool(3)
  const run = createBatches(pool)

  const asked = numbered(1, 3).map((text) => run({ text }))
  const settled = Promise.allSettled(asked)
  await nextTurn()
  expect(texts()).toEqual([['1', '2', '3']])

  fail('2', new Error('division by zero'))
  answer('1')
  answer('3')
  expect(await settled).toMatchObject([
    { status: 'fulfilled', value: { rows: [{ text: '1' }] } },
    { status: 'rejected', reason: { message: 'division by zero' } },
    { status: 'fulfilled', value: { rows: [{ text: '3' }] } },
  ])
  await expect.poll(() => released).toEqual([undefined])
})

test('what is asked one after the other does not wait for what runs, as long as a connection is free', async () => {
  const { pool, texts } = fakePool(2)
  const run = createBatches(pool)

  void run({ text: '1' })
  await nextTurn()
  void run({ text: '2' })
  await nextTurn()

  expect(texts()).toEqual([['1'], ['2']])
})

test('a connection gets eight at most; what waits for one goes out together', async () => {
  const { pool, texts, answer } = fakePool(2)
  const run = createBatches(pool)
  const ask = (from: number, count: number) => numbered(from, count).map((text) => run({ text }))

  const first = ask(1, 16)
  await nextTurn()
  ask(17, 2)
  await nextTurn()
  ask(19, 2)
  await nextTurn()
  expect(texts()).toEqual([numbered(1, 8), numbered(9, 8)])

  for (const text of numbered(1, 8)) answer(text)
  await Promise.all(first.slice(0, 8))
  await expect.poll(texts).toEqual([numbered(1, 8), numbered(9, 8), numbered(17, 4)])
})

test('a statement that was slow goes alone, until it is quick again', async () => {
  const { pool, texts, answer } = fakePool(9)
  const run = createBatches(pool)
  const clock = vi.spyOn(performance, 'now')
  const ask = async (tookMs: number) => {
    clock.mockReturnValue(0)
    const slow = run({ text: 'slow' })
    const quick = run({ text: 'quick' })
    await nextTurn()
    clock.mockReturnValue(tookMs)
    answer('slow')
    await slow
    answer('quick')
    await quick
  }

  await ask(51)
  await ask(50)
  await ask(50)
  clock.mockRestore()
  expect(texts()).toEqual([['slow', 'quick'], ['quick'], ['slow'], ['slow', 'quick']])
})

test('when no connection can be had, all that wait for it are told, and the next ones try again', async () => {
  const { pool, refuse, texts } = fakePool(1)
  const run = createBatches(pool)
  const ask = () => Promise.allSettled(numbered(1, 10).map((text) => run({ text })))

  refuse(new Error('connect ECONNREFUSED'))
  const settled = await ask()
  expect(settled.map(({ status }) => status)).toEqual(Array(10).fill('rejected'))

  refuse(null)
  void run({ text: 'again' })
  await expect.poll(texts).toEqual([['again']])
})

test('a connection that breaks is not given back', async () => {
  const { pool, writes, released } = fakePool(1)
  const run = createBatches(pool)
  const settled = Promise.allSettled(numbered(1, 2).map((text) => run({ text })))
  await nextTurn()

  const broken = Object.assign(new Error('Connection terminated unexpectedly'), { code: 'ECONNRESET' })
  for (const { answer } of writes.flat()) answer.reject(broken)

  expect((await settled).map(({ status }) => status)).toEqual(['rejected', 'rejected'])
  await expect.poll(() => released).toEqual([broken])
})
