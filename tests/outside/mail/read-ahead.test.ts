import { expect, test } from 'vitest'
import { readAhead } from '../../../lib/outside/mail/sync/read-messages.ts'

test('the next item is read while the last one is dealt with, and no further one', async () => {
  const begun: number[] = []
  const read = async (item: number) => {
    begun.push(item)
    return item * 10
  }
  const seen: [number, number[]][] = []

  for await (const result of readAhead([1, 2, 3], read)) seen.push([result, [...begun]])

  expect(seen).toEqual([
    [10, [1, 2]],
    [20, [1, 2, 3]],
    [30, [1, 2, 3]],
  ])
})

test('a failure comes in its place, and no reading is left when it ends early', async () => {
  let underWay = 0
  const read = async (item: number) => {
    underWay += 1
    await new Promise((resolve) => setImmediate(resolve))
    underWay -= 1
    if (item === 2) throw new Error('cut')
    return item
  }
  const seen: number[] = []
  const all = async () => {
    for await (const result of readAhead([1, 2, 3], read)) seen.push(result)
  }

  await expect(all()).rejects.toThrow('cut')
  for await (const result of readAhead([1, 2], read)) {
    seen.push(result)
    break
  }

  expect(seen).toEqual([1, 1])
  expect(underWay).toBe(0)
})
