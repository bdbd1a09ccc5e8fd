import fc from 'fast-check'

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

/** Lines of prose, code, front matter and tables, with either line break. */
export const markdownText = fc
  .array(fc.tuple(line, fc.constantFrom('\n', '\n', '\r\n')), { maxLength: 25 })
  .map((lines) => lines.map(([words, end]) => words + end).join(''))

type Part = { kind: 'same' | 'removed' | 'added'; text: string }

/** One side of a diff, read off its parts. */
export const sideOf = (parts: readonly Part[], side: 'before' | 'after'): string =>
  parts
    .filter(({ kind }) => kind !== (side === 'before' ? 'added' : 'removed'))
    .map(({ text }) => text)
    .join('')
