import { expect, test } from 'vitest'
import { mapConcurrently } from '../../../lib/companion/research/run/find-passages.ts'

test('at most so many run at once, and the results are in the order of the items', async () => {
  let running = 0
  let most = 0
  const work = async (item: number) => {
    running += 1
    most = Math.max(most, running)
    for (let tick = 0; tick < 10 - item; tick += 1) await Promise.resolve()
    running -= 1
    return item * 2
  }

  expect(await mapConcurrently([1, 2, 3, 4, 5, 6, 7], 3, work)).toEqual([2, 4, 6, 8, 10, 12, 14])
  expect(most).toBe(3)
})

test('without items there is nothing, and a rejection is passed on', async () => {
  expect(await mapConcurrently([], 4, async (item) => item)).toEqual([])
  await expect(
    mapConcurrently([1, 2], 4, (item) =>
      item === 2 ? Promise.reject(new Error('no')) : Promise.resolve(item),
    ),
  ).rejects.toThrow('no')
})
