import { expect, test } from 'vitest'
import { findCitedPlace } from '../../../public/app/router/cited-place.ts'
import { markdownToHtml } from '../../../public/ui/markdown/markdown.ts'

const decode = (html: string) =>
  html.replace(
    /&(amp|lt|gt|quot|#39);/g,
    (_, name) => ({ amp: '&', lt: '<', gt: '>', quot: '"' })[name as string] ?? "'",
  )

/** The words of a page as it is shown: its title, the text, and what stands below it. */
const shownWords = (source: string): string[] =>
  decode(
    `The lamp ${markdownToHtml(source, { slug: 's' }).replace(/<[^>]*>/g, ' ')} Linked from The keeper`,
  ).match(/[\p{L}\p{M}\p{N}]+/gu) ?? []

function marked(source: string, cited: string): string | null {
  const words = shownWords(source)
  const { visible } = findCitedPlace(source, cited, words)
  return visible && words.slice(visible.first, visible.last + 1).join(' ')
}

const source = `---
status: in use
rating: 7
tags: [boats, oil]
---
# Lamp

See [[Rules of the house|the rules]] and [the log](https://example.org/log/2026) before you light it.

| Part | Kept in |
| --- | --- |
| wick | the [[Store room]] |
| oil | tin \`T-4\` |

\`\`\`ts
const turns = everySecond(12)
\`\`\`

> [!note] Careful
> The **lens** is *very* hot, and ~~cold~~ bright.

- [ ] trim the wick
- [x] fill the oil

The lamp turns. The lamp turns again.
`

test.each([
  ['a wikilink with a label', 'See [[Rules of the house|the rules]] and', 'See the rules and'],
  [
    'a link with an address',
    '[the log](https://example.org/log/2026) before you light it',
    'the log before you light it',
  ],
  ['the front matter', 'rating: 7', 'rating 7'],
  ['a list in the front matter', 'tags: [boats, oil]', 'tags boats oil'],
  ['a row of a table', '| wick | the [[Store room]] |', 'wick the Store room'],
  ['a row with code', '| oil | tin `T-4` |', 'oil tin T 4'],
  ['code', 'const turns = everySecond(12)', 'const turns everySecond 12'],
  ['a callout', '> The **lens** is *very* hot', 'The lens is very hot'],
  ['a task', '- [x] fill the oil', null],
  ['two paragraphs', 'fill the oil\n\nThe lamp turns.', 'fill the oil The lamp turns'],
  ['the second of two alike', 'The lamp turns again', 'The lamp turns again'],
  ['a heading', '# Lamp', 'Lamp'],
  ['words that an address cut off', 'before you light it.\n\n| Part | Ke', 'before you light it Part'],
])('%s is marked where it is shown', (_name, cited, expected) => {
  const found = marked(source, cited)

  if (expected === null) expect(found).toContain('fill the oil')
  else expect(found).toBe(expected)
})

test('words that the text does not hold are not marked, and the place is not guessed', () => {
  expect(findCitedPlace(source, 'The horn sounds at noon.', shownWords(source))).toEqual({
    visible: null,
    before: null,
    isStored: false,
  })
})

test('words that are stored and not shown have a place to go to', () => {
  const hidden = 'Above the line.\n\n%%secret remark here%%\n\nBelow.'
  const shown = ['Title', 'Above', 'the', 'line', 'Below']

  expect(findCitedPlace(hidden, 'secret remark here', shown)).toEqual({
    visible: null,
    before: 3,
    isStored: true,
  })
})

test('without the stored text the shown words alone are searched', () => {
  expect(
    findCitedPlace(null, 'oil costs **92** crowns', ['The', 'oil', 'costs', '92', 'crowns', 'now']),
  ).toMatchObject({
    visible: { first: 1, last: 4 },
  })
})
