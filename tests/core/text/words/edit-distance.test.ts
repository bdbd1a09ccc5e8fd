import fc from 'fast-check'
import { expect, test } from 'vitest'
import { distanceFrom } from '../../../../lib/core/text/words/edit-distance.ts'

test.each([
  ['boiler', 'boiler', 0],
  ['boiler', 'boler', 1],
  ['boiler', 'boilers', 1],
  ['boiler', 'bolier', 1],
  ['boiler', 'baller', 2],
  ['boiler', 'radiator', 3],
  ['', 'ab', 2],
])('%s and %s are %d apart', (one, other, distance) => {
  expect(distanceFrom(one, 2)(other)).toBe(distance)
})

test('one measure serves many words and agrees with the whole table', () => {
  const word = fc.string({ unit: fc.constantFrom('a', 'b', 'c'), maxLength: 9 })
  fc.assert(
    fc.property(
      word,
      fc.array(word, { maxLength: 6 }),
      fc.integer({ min: 0, max: 3 }),
      (one, others, most) => {
        const distance = distanceFrom(one, most)
        for (const other of others) expect(distance(other)).toBe(Math.min(wholeTable(one, other), most + 1))
      },
    ),
  )
})

function wholeTable(one: string, other: string): number {
  const cost = (i: number, j: number): number => table[i]?.[j] ?? Infinity
  const table: number[][] = []
  for (let i = 0; i <= one.length; i += 1) {
    table.push([])
    for (let j = 0; j <= other.length; j += 1) {
      const replaced = cost(i - 1, j - 1) + (one[i - 1] === other[j - 1] ? 0 : 1)
      const swaps = i > 1 && j > 1 && one[i - 1] === other[j - 2] && one[i - 2] === other[j - 1]
      const swapped = swaps ? cost(i - 2, j - 2) + 1 : Infinity
      table[i]!.push(i + j === 0 ? 0 : Math.min(cost(i - 1, j) + 1, cost(i, j - 1) + 1, replaced, swapped))
    }
  }
  return cost(one.length, other.length)
}
