import fc from 'fast-check'
import { expect, test } from 'vitest'
import { splitLines } from '../../../../lib/core/text/clean.ts'
import { diffText, type TextHunk } from '../../../../lib/core/text/diff/diff-text.ts'
import { computeHunks } from '../../../../lib/core/text/diff/hunks.ts'
import { runs } from '../../../helpers/runs.ts'
import { markdownText, sideOf } from './arbitrary-text.ts'

const only = (before: string, after: string): TextHunk => {
  const { hunks } = diffText(before, after)
  expect(hunks).toHaveLength(1)
  return hunks[0]!
}

test('the hunks are those that a decision names, and every line of the text before is in one place', () => {
  fc.assert(
    fc.property(markdownText, markdownText, (before, after) => {
      const { hunks, unchanged } = diffText(before, after)

      const named = computeHunks(before, after)
      expect(hunks.map(({ parts }) => sideOf(parts, 'before'))).toEqual(
        named.map((hunk) => hunk.before.lines.join('')),
      )
      expect(hunks.map(({ parts }) => sideOf(parts, 'after'))).toEqual(
        named.map((hunk) => hunk.after.lines.join('')),
      )
      const lines = splitLines(before).map((line) => line.replace(/\r?\n$/, ''))
      const shown = hunks.flatMap(({ context, lines: { before } }, index) => [
        ...unchanged[index]!,
        ...context.above,
        ...lines.slice(before.start - 1, before.start - 1 + before.count),
        ...context.below,
      ])
      expect([...shown, ...unchanged.at(-1)!]).toEqual(lines)
    }),
    { numRuns: runs(2000) },
  )
})

test('equal texts have no hunk', () => {
  expect(diffText('a\nb\n', 'a\nb\n')).toEqual({ hunks: [], unchanged: [['a', 'b']] })
  expect(diffText('', '')).toEqual({ hunks: [], unchanged: [[]] })
})

test('lines far from a change are apart from its context', () => {
  const lines = Array.from({ length: 40 }, (_, n) => `Line ${n}\n`)

  const { hunks, unchanged } = diffText(lines.join(''), lines.with(20, 'Line twenty\n').join(''))

  expect(hunks[0]!.context).toEqual({
    above: ['Line 17', 'Line 18', 'Line 19'],
    below: ['Line 21', 'Line 22', 'Line 23'],
  })
  expect(unchanged.map(({ length }) => length)).toEqual([17, 16])
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

test('a row that is added has one side', () => {
  const before = '| a | b |\n|---|---|\n| 1 | one |\n| 2 | two |\n'

  const hunk = only(before, `${before}| 3 | three |\n`)

  expect(hunk.table?.rows.map(({ kind }) => kind)).toEqual(['added'])
})
