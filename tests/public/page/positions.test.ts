import fc from 'fast-check'
import { expect, test } from 'vitest'
import { positionsAfter } from '../../../public/page/tree/positions.ts'

test('a page put between two that have room is the only one that changes', () => {
  const siblings = [0, 1024, 2048].map((position, index) => ({ id: 'abc'[index]!, position }))

  expect(positionsAfter(siblings, 2, 1)).toEqual([{ id: 'c', position: 512 }])
  expect(positionsAfter(siblings, 2, 0)).toEqual([{ id: 'c', position: -1024 }])
  expect(positionsAfter(siblings, 0, 2)).toEqual([{ id: 'a', position: 3072 }])
})

test('after any move the pages stand in the wished order by position alone', () => {
  const positions = fc.array(fc.integer({ min: -3, max: 3 }), { minLength: 2, maxLength: 8 })
  fc.assert(
    fc.property(positions, fc.nat(), fc.nat(), (places, one, other) => {
      const siblings = places
        .toSorted((a, b) => a - b)
        .map((position, index) => ({ id: `${index}`, position }))
      const from = one % siblings.length
      const to = other % siblings.length
      fc.pre(from !== to)
      const wished = siblings.toSpliced(from, 1).toSpliced(to, 0, siblings[from]!)

      const written = new Map(positionsAfter(siblings, from, to).map(({ id, position }) => [id, position]))
      const after = wished.map(({ id, position }) => written.get(id) ?? position)

      expect(after.every((position, index) => index === 0 || after[index - 1]! < position)).toBe(true)
    }),
  )
})
