import fc from 'fast-check'
import { expect, test } from 'vitest'
import { extractLinks } from '../../../lib/content/links/extract.ts'
import { maskCode } from '../../../lib/core/text/markdown.ts'

const namesIn = (text: string) => extractLinks(text).map(({ name }) => name)

test.each([
  ['[[The Lamp]]', { name: 'the lamp', label: null, heading: null, embed: false }],
  ['[[The Lamp|light]]', { name: 'the lamp', label: 'light' }],
  ['[[The Lamp#Oil]]', { name: 'the lamp', heading: 'Oil' }],
  ['[[The Lamp#^block|here]]', { name: 'the lamp', heading: '^block', label: 'here' }],
  ['![[chart.png]]', { name: 'chart.png', embed: true }],
  ['[[#Oil]]', { name: '', heading: 'Oil' }],
  ['[[folder/Note.md]]', { name: 'folder/note' }],
  ['| [[The Lamp\\|light]] |', { name: 'the lamp', label: 'light' }],
  ['[the lamp](notes/The%20Lamp.md#Oil)', { name: 'notes/the lamp', label: 'the lamp', heading: 'Oil' }],
  ['[the lamp](<The Lamp.md>)', { name: 'the lamp' }],
  ['![chart](../img/chart.png)', { name: 'img/chart.png', embed: true }],
])('%s is a link', (text, link) => {
  expect(extractLinks(text)).toMatchObject([link])
})

test.each([
  ['a web address', '[x](https://example.org/a.md)'],
  ['a mail address', '[x](mailto:a@b.c)'],
  ['an anchor', '[x](#here)'],
  ['a path of the server', '[x](/api/spaces)'],
  ['inline code', '`[[x]]` and ``[[y]] ` [[z]]``'],
  ['fenced code', '```md\n[[x]]\n```'],
  ['a fence that never ends', '~~~\n[[x]]\n'],
  ['empty brackets', '[[]] [[ ]]'],
])('%s is none', (_, text) => {
  expect(extractLinks(text)).toEqual([])
})

test('links stand in the order of the text, front matter first', () => {
  expect(namesIn('---\nup: "[[Top]]"\n---\n[[b]] `[[no]]` [a](a.md) ```[[no]]``` [[c]]')).toEqual([
    'top',
    'b',
    'a',
    'c',
  ])
})

test('masking keeps every line and column where it was', () => {
  const piece = fc.constantFrom('`', '``', '```', '~~~', '\n', 'a', ' ', '[[x]]')
  fc.assert(
    fc.property(
      fc.array(piece).map((pieces) => pieces.join('')),
      (text) => {
        const masked = maskCode(text)

        expect(masked).toHaveLength(text.length)
        expect(masked.split('\n').map(({ length }) => length)).toEqual(
          text.split('\n').map(({ length }) => length),
        )
      },
    ),
  )
})

test('a hostile text takes no longer than any other', () => {
  for (const piece of ['`', '`x', '[', '[[', '[a](', '[a](<', '```\n', '~~~\n', '!', '[[a|', '[[a#']) {
    expect(extractLinks(piece.repeat(300_000)).length).toBeLessThanOrEqual(2000)
  }
})
