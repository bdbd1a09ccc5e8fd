import fc from 'fast-check'
import { expect, test } from 'vitest'
import { foldText } from '../../../lib/changes/card/fold-text.ts'
import { textChange } from '../../../lib/changes/card/text-change.ts'
import type { CardHunk } from '../../../lib/contract/changes/text-change.ts'
import { computeHunks } from '../../../lib/core/text/diff/hunks.ts'
import { markdownText, sideOf } from '../../core/text/diff/arbitrary-text.ts'
import { runs } from '../../helpers/runs.ts'

const only = (before: string, after: string): CardHunk => {
  const { hunks } = textChange(before, after)
  expect(hunks).toHaveLength(1)
  return hunks[0]!
}

test('the hunks of a card are those that a decision names, with every line of both texts shown or counted', () => {
  fc.assert(
    fc.property(markdownText, markdownText, (before, after) => {
      const { hunks, totals, unchanged_below } = textChange(before, after)
      const named = computeHunks(before, after)

      expect(hunks.map(({ parts }) => sideOf(parts, 'before'))).toEqual(
        named.map((hunk) => hunk.before.lines.join('')),
      )
      expect(hunks.map(({ parts }) => sideOf(parts, 'after'))).toEqual(
        named.map((hunk) => hunk.after.lines.join('')),
      )
      expect(totals.hunks).toBe(named.length)
      if (hunks.length === 0) return
      const unchanged = hunks.reduce(
        (sum, hunk) => sum + hunk.unchanged_above + hunk.context.above.length + hunk.context.below.length,
        unchanged_below,
      )
      const lines = before.split('\n').length - (before.endsWith('\n') || before === '' ? 1 : 0)
      expect(unchanged + totals.lines_removed).toBe(lines)
    }),
    { numRuns: runs(2000) },
  )
})

test('links are shown with where they led and lead', () => {
  const hunk = only(
    'Pay at [the bank](https://bank.example/pay), see [[Lease]].\n',
    'Pay at [the bank](https://bank.example.evil.test/pay), see [[Lease of the house|Lease]].\n',
  )

  expect(hunk.links).toEqual([
    {
      kind: 'link',
      label: 'the bank',
      before: 'https://bank.example/pay',
      after: 'https://bank.example.evil.test/pay',
      hosts: { before: 'bank.example', after: 'bank.example.evil.test' },
    },
    {
      kind: 'wikilink',
      label: 'Lease',
      before: 'Lease',
      after: 'Lease of the house',
      hosts: { before: null, after: null },
    },
  ])
})

test('what a bounded card leaves out is counted to the last character', () => {
  const limits = { value: 100, parts: 300, same: 50, hunks: 5 }
  fc.assert(
    fc.property(markdownText, markdownText, (before, after) => {
      const whole = textChange(before, after)
      const folded = foldText(whole, limits)

      const size = (hunks: CardHunk[]) =>
        hunks.flatMap(({ parts }) => parts).reduce((sum, { text, folded }) => sum + text.length + folded, 0)
      expect(size(folded.hunks)).toBe(size(whole.hunks.slice(0, folded.hunks.length)))
      expect(folded.hunks.length + (folded.folded?.hunks ?? 0)).toBe(whole.hunks.length)
      expect(folded.totals).toEqual(whole.totals)
    }),
    { numRuns: runs(500) },
  )
})
