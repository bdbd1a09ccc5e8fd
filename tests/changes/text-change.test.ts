import fc from 'fast-check'
import { expect, test } from 'vitest'
import { foldText } from '../../lib/changes/diff/fold.ts'
import { textChange } from '../../lib/changes/diff/text-change.ts'
import { wordParts } from '../../lib/changes/diff/word-parts.ts'
import { computeHunks } from '../../lib/changes/hunks.ts'
import type { CardHunk, DiffPart } from '../../lib/contract/card.ts'

const words = fc.constantFrom('The', 'lamp', 'turns', 'é', '‮', '😀', '\u200b', ' ', ' ', ', ', '.', '\r', '|')
const line = fc.oneof(
  fc.array(words, { maxLength: 12 }).map((list) => list.join('')),
  fc.constantFrom(
    '# Oil',
    '```js',
    '```',
    '| a | b |',
    '|---|---|',
    '---',
    'a: 1',
    '',
    '> quoted',
    '[x](http://a.b/)',
  ),
)
const text = fc
  .array(fc.tuple(line, fc.constantFrom('\n', '\n', '\r\n')), { maxLength: 25 })
  .map((lines) => lines.map(([words, end]) => words + end).join(''))

const without = (parts: readonly DiffPart[], side: DiffPart['kind']) =>
  parts
    .filter(({ kind }) => kind !== side)
    .map(({ text }) => text)
    .join('')

const only = (before: string, after: string): CardHunk => {
  const { hunks } = textChange(before, after)
  expect(hunks).toHaveLength(1)
  return hunks[0]!
}

test('the parts of prose hold both sides, byte for byte', () => {
  fc.assert(
    fc.property(text, text, (before, after) => {
      const parts = wordParts(before, after)

      expect(without(parts, 'added')).toBe(before)
      expect(without(parts, 'removed')).toBe(after)
      expect(parts.every(({ text, folded }) => text !== '' && folded === 0)).toBe(true)
    }),
    { numRuns: 2000 },
  )
})

test('the hunks of a card are those that a decision names, with every line of both texts shown or counted', () => {
  fc.assert(
    fc.property(text, text, (before, after) => {
      const { hunks, totals, unchanged_below } = textChange(before, after)
      const named = computeHunks(before, after)

      expect(hunks.map(({ parts }) => without(parts, 'added'))).toEqual(
        named.map((hunk) => hunk.before.lines.join('')),
      )
      expect(hunks.map(({ parts }) => without(parts, 'removed'))).toEqual(
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
    { numRuns: 2000 },
  )
})

test('a change of three words shows three words', () => {
  const hunk = only(
    'The lamp turns once in twelve seconds, and the oil lasts nine nights in winter.\n',
    'The lamp turns once in ten seconds, and the oil lasts eight nights in summer.\n',
  )

  expect(hunk.kind).toBe('prose')
  expect(hunk.parts.filter(({ kind }) => kind !== 'same').map(({ text }) => text)).toEqual([
    'twelve',
    'ten',
    'nine',
    'eight',
    'winter',
    'summer',
  ])
  expect(hunk.counts).toEqual({ words_added: 3, words_removed: 3, lines_added: 1, lines_removed: 1 })
})

test('a hunk stands under its headings, between the lines around it', () => {
  const lines = [
    '# The lamp',
    '',
    'It turns.',
    '',
    '## Oil',
    '',
    'one',
    'two',
    'three',
    'Rapeseed.',
    'four',
    '',
  ]
  const before = lines.join('\n')

  const hunk = only(before, before.replace('Rapeseed.', 'Paraffin.'))

  expect(hunk.heading_path).toEqual(['The lamp', 'Oil'])
  expect(hunk.lines).toEqual({ before: { start: 10, count: 1 }, after: { start: 10, count: 1 } })
  expect(hunk.context).toEqual({ above: ['one', 'two', 'three'], below: ['four'] })
  expect(hunk.unchanged_above).toBe(6)
})

test.each([
  ['code', '```js\nlet a = 1\n```\n', 'let a = 1', 'let a = 2'],
  ['front_matter', '---\ntitle: Lamp\ntags: [a]\n---\nText\n', 'tags: [a]', 'tags: [b]'],
  ['mixed', 'Some text\n```js\nlet a = 1\n```\n', 'Some text\n```js', 'Other text\n```ts'],
])('%s is read by lines', (kind, before, old, fresh) => {
  const hunk = only(before, before.replace(old, fresh))

  expect(hunk.kind).toBe(kind)
  expect(hunk.parts.map(({ kind }) => kind)).toEqual(['removed', 'added'])
})

test('a table is read by cells, under its columns', () => {
  const before = '| Month | Rent |\n|---|---|\n| May | 410 |\n| June | 410 |\n'

  const hunk = only(before, before.replace('| June | 410 |', '| June | 425 |'))

  expect(hunk.kind).toBe('table')
  expect(hunk.table).toEqual({
    columns: ['Month', 'Rent'],
    rows: [
      {
        kind: 'changed',
        cells: [
          { before: ' June ', after: ' June ' },
          { before: ' 410 ', after: ' 425 ' },
        ],
      },
    ],
  })
})

test('rows that come and go are told as such', () => {
  const before = '| a | b |\n|---|---|\n| 1 | one |\n| 2 | two |\n'

  const hunk = only(before, `${before}| 3 | three |\n`)

  expect(hunk.table?.rows.map(({ kind }) => kind)).toEqual(['added'])
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
    fc.property(text, text, (before, after) => {
      const whole = textChange(before, after)
      const folded = foldText(whole, limits)

      const size = (hunks: CardHunk[]) =>
        hunks.flatMap(({ parts }) => parts).reduce((sum, { text, folded }) => sum + text.length + folded, 0)
      expect(size(folded.hunks)).toBe(size(whole.hunks.slice(0, folded.hunks.length)))
      expect(folded.hunks.length + (folded.folded?.hunks ?? 0)).toBe(whole.hunks.length)
      expect(folded.totals).toEqual(whole.totals)
    }),
    { numRuns: 500 },
  )
})
