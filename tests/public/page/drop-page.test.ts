import { expect, test } from 'vitest'
import { positionsFor } from '../../../public/page/tree/drop-page.ts'

const level = [
  { id: 'a', position: 0 },
  { id: 'b', position: 1024 },
  { id: 'c', position: 2048 },
]
const count = level.length
const page = { id: 'x', position: 5 }

test('a page comes between two others of another level with one write', () => {
  expect(positionsFor(page, level, { id: 'b', where: 'before', count })).toEqual([{ id: 'x', position: 512 }])
  expect(positionsFor(page, level, { id: 'b', where: 'after', count })).toEqual([{ id: 'x', position: 1536 }])
})

test('at the end of another level it comes behind the last, and below a page it needs no position', () => {
  expect(positionsFor(page, level, { id: 'c', where: 'after', count })).toEqual([{ id: 'x', position: 2049 }])
  expect(positionsFor(page, level, { id: 'c', where: 'into', count })).toEqual([])
})

test('on its own level it moves past the others, and nothing moves where it is already', () => {
  expect(positionsFor(level[0]!, level, { id: 'b', where: 'after', count })).toEqual([
    { id: 'a', position: 1536 },
  ])
  expect(positionsFor(level[0]!, level, { id: 'b', where: 'before', count })).toEqual([])
})

test('on a level that is loaded in part it comes between its neighbours, or nowhere where they leave no room', () => {
  const many = { id: 'b', count: 5000 } as const
  const tied = level.map(({ id }) => ({ id, position: 0 }))

  expect(positionsFor(page, level, { ...many, where: 'before' })).toEqual([{ id: 'x', position: 512 }])
  expect(positionsFor(level[0]!, level, { ...many, where: 'after' })).toEqual([{ id: 'a', position: 1536 }])
  expect(positionsFor(page, tied, { ...many, where: 'after' })).toBe(null)
})
