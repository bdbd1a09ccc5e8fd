import fc from 'fast-check'
import { expect, test } from 'vitest'
import { filterMarks } from '../../../lib/ai/adapt/citation-marks.ts'

/** As it streams in these pieces, with nine sources. */
function read(...pieces: string[]) {
  const filter = filterMarks((number) => number >= 1 && number <= 9)
  const text = pieces.map((piece) => filter.push(piece)).join('') + filter.end()
  return { text, marks: filter.marks() }
}

test.each([
  ['It burns oil [2:14].', 'It burns oil.', [[2, 14, 14]]],
  ['It burns oil. [2:14-16]', 'It burns oil.', [[2, 14, 16]]],
  ['It burns oil [2:14–2:16].', 'It burns oil.', [[2, 14, 16]]],
  [
    'Oil [2:14][3:1-2] burns.',
    'Oil burns.',
    [
      [2, 14, 14],
      [3, 1, 2],
    ],
  ],
  ['Oil 【4:2】 burns.', 'Oil burns.', [[4, 2, 2]]],
  [
    'Oil [2:1, 4; 3:2]',
    'Oil',
    [
      [2, 1, 1],
      [2, 4, 4],
      [3, 2, 2],
    ],
  ],
  ['Oil [source 2: line 4]', 'Oil', [[2, 4, 4]]],
  ['Oil [2].', 'Oil.', [[2, null, null]]],
] as const)('a mark: %s', (given, text, sources) => {
  const got = read(given)

  expect(got.text).toBe(text)
  expect(
    got.marks.flatMap(({ sources }) => sources.map(({ number, from, to }) => [number, from, to])),
  ).toEqual(sources)
})

test.each([
  'row[2] of a list',
  'see [1](http://tea.example) and [12:3]',
  '- [ ] a task\n- [x] another',
  '[[Page]] and ![[Picture]]',
  'an open [2:',
  '[1]: http://tea.example',
  '[2:14 of the law]',
  '[\n2]',
  'at [14:30] it is lit',
  `[${'a'.repeat(200)}`,
])('no mark: %s', (text) => {
  expect(read(text)).toEqual({ text, marks: [] })
})

const parts = fc.constantFrom(
  ...['[2:14]', '[3]', '【1:2】', '[', ']', '2', ':', ' ', 'a', '.', '(', '\n', '-', ','],
)

test('it does not matter where the stream is cut', () => {
  fc.assert(
    fc.property(fc.array(parts, { maxLength: 14 }), fc.array(fc.nat(60), { maxLength: 6 }), (words, cuts) => {
      const text = words.join('')
      const at = [...new Set(cuts.map((cut) => cut % (text.length + 1)))].toSorted((a, b) => a - b)
      const pieces = [0, ...at].map((from, index) => text.slice(from, at[index] ?? text.length))
      expect(read(...pieces)).toEqual(read(text))
    }),
  )
})
