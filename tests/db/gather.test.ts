import { expect, test } from 'vitest'
import { createGathering } from '../../lib/db/gather.ts'

const gatherRuns = (most: number, run: (items: string[]) => Promise<string[]>) => {
  const runs: string[][] = []
  const gathering = createGathering<string, string>({ forMs: 5, most }, async (items) => {
    runs.push(items)
    return await run(items)
  })
  return { runs, gathering }
}

const shout = async (items: string[]) => items.map((item) => item.toUpperCase())

test('what is asked within a moment runs together, each with its own result, at most so many at once', async () => {
  const { runs, gathering } = gatherRuns(2, shout)

  const results = await Promise.all(['a', 'b', 'c'].map(gathering.add))

  expect(results).toEqual(['A', 'B', 'C'])
  expect(runs).toEqual([['a', 'b'], ['c']])
})

test('what comes while a run is under way waits for the next', async () => {
  const { promise, resolve } = Promise.withResolvers<void>()
  const { runs, gathering } = gatherRuns(9, async (items) => {
    await promise
    return await shout(items)
  })
  const first = gathering.add('a')
  await expect.poll(() => runs.length).toBe(1)

  const later = ['b', 'c'].map(gathering.add)
  expect(gathering.waiting()).toBe(2)
  resolve()
  await gathering.idle()

  expect(await Promise.all([first, ...later])).toEqual(['A', 'B', 'C'])
  expect(runs).toEqual([['a'], ['b', 'c']])
})

test('one that fails fails alone', async () => {
  const { gathering } = gatherRuns(9, async (items) => {
    if (items.includes('bad')) throw new Error('refused')
    return await shout(items)
  })

  const settled = await Promise.allSettled(['a', 'bad', 'c'].map(gathering.add))

  expect(settled).toMatchObject([
    { status: 'fulfilled', value: 'A' },
    { status: 'rejected', reason: { message: 'refused' } },
    { status: 'fulfilled', value: 'C' },
  ])
  await gathering.idle()
  expect(await gathering.add('d')).toBe('D')
})
