import fc from 'fast-check'
import { expect, test } from 'vitest'
import { align } from '../../../../lib/core/text/diff/align.ts'
import { runs } from '../../../helpers/runs.ts'

test('lists without unique items are aligned with the fewest edits', () => {
  const letter = fc.array(fc.constantFrom('a', 'b', 'c'), { maxLength: 5 })
  // Doubled, so that no item is unique.
  const letters = letter.map((list) => list.flatMap((item) => [item, item]))

  fc.assert(
    fc.property(letters, letters, (before, after) => {
      const edits = align(before, after).reduce(
        (sum, change) =>
          sum + change.before.end - change.before.start + change.after.end - change.after.start,
        0,
      )

      expect(edits).toBe(before.length + after.length - 2 * maxCommonLength(before, after))
    }),
    { numRuns: runs(500) },
  )
})

test('what is between two changes is equal on both sides', () => {
  const items = fc.array(fc.nat(6), { maxLength: 40 })

  fc.assert(
    fc.property(items, items, (before, after) => {
      const applied: number[] = []
      let position = 0
      for (const change of align(before, after)) {
        applied.push(...before.slice(position, change.before.start))
        expect(applied).toHaveLength(change.after.start)
        applied.push(...after.slice(change.after.start, change.after.end))
        position = change.before.end
      }
      expect([...applied, ...before.slice(position)]).toEqual(after)
    }),
    { numRuns: runs(2000) },
  )
})

function maxCommonLength(a: string[], b: string[]): number {
  const [first, ...rest] = a
  if (first === undefined || b.length === 0) return 0
  const skipped = maxCommonLength(rest, b)
  const at = b.indexOf(first)
  return at < 0 ? skipped : Math.max(skipped, 1 + maxCommonLength(rest, b.slice(at + 1)))
}
