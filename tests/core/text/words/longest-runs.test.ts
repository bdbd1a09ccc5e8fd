import fc from 'fast-check'
import { expect, test } from 'vitest'
import { longestRuns } from '../../../../lib/core/text/words/longest-runs.ts'

const words = fc.array(fc.constantFrom('a', 'b', 'c'), { maxLength: 24 })

test('the longest run from each word on is found in the other text, whatever repeats', () => {
  fc.assert(
    fc.property(words, words, (some, all) => {
      const runs = longestRuns(some, all)

      expect(runs.map(({ length }) => length)).toEqual(some.map((_, from) => searched(some.slice(from), all)))
      for (const [from, { at, length }] of runs.entries())
        expect(all.slice(at, at + length)).toEqual(some.slice(from, from + length))
    }),
    { numRuns: 2000 },
  )
})

/** How many of the words the other text has at any place. */
const searched = (words: readonly string[], all: readonly string[]): number =>
  Math.max(0, ...all.map((_, at) => sharedFrom(words, all.slice(at))))

function sharedFrom(words: readonly string[], all: readonly string[]): number {
  const end = words.findIndex((word, index) => word !== all[index])
  return end === -1 ? words.length : end
}
