import { expect, test } from 'vitest'
import { extractTags } from '../../../lib/content/properties/page-data.ts'
import { slowShapes } from '../../helpers/growth.ts'

const namesIn = (text: string) => [...extractTags(text).values()]

test.each([
  ['at the beginning', '#garden', ['garden']],
  ['within a sentence', 'See the #garden, please.', ['garden']],
  ['nested, with those above', 'x #home/garden/roses', ['home', 'home/garden', 'home/garden/roses']],
  ['with every sign that counts', '#a_b-c #0🌲 #Ærø #ёлка', ['a_b-c', '0🌲', 'Ærø', 'ёлка']],
  ['in any case, as it is written first', '#Garden #garden #GARDEN', ['Garden']],
  ['in a heading', '## Plans #garden\n', ['garden']],
  ['in a list and a table', '- #one\n| #two | x |\n', ['one', 'two']],
  ['in front matter, as a list', '---\ntags: [one, "#two"]\n---\n', ['one', 'two']],
  ['in front matter, as a text', '---\ntags: one, two three\n---\n', ['one', 'two', 'three']],
  ['in front matter, one', '---\ntag: one\n---\n', ['one']],
  ['in Logseq’s properties', 'tags:: light, [[two words]]\n\n- Bright.', ['light', 'two-words']],
  ['of Logseq in brackets', '- Bright #[[two words]] and x#[[no]] `#[[code]]`', ['two-words']],
  ['with needless slashes', '#/a//b/', ['a', 'a/b']],
])('a tag %s', (_, text, names) => {
  expect(namesIn(text)).toEqual(names)
})

test.each([
  ['a heading', '# Garden'],
  ['a number', '#123 #1/2'],
  ['the heading of a link', '[[Page#garden]] [[Page|x #garden]] [x](#garden) [see #garden](a.md)'],
  ['an address', 'https://example.org/#garden x#garden'],
  ['code', '`#garden` ``x #garden``\n```\n#garden\n```\n'],
  ['two of the signs', '##garden'],
  ['a bare sign', '# #'],
  ['too long', `#${'a'.repeat(101)}`],
  ['too deep', `#${'a/'.repeat(11)}a`],
  ['a number of YAML', '---\ntags: 2024\n---\n'],
])('%s is none', (_, text) => {
  expect(namesIn(text)).toEqual([])
})

test('a page has 200 at most', () => {
  const text = Array.from({ length: 500 }, (_, at) => `#t${at}`).join(' ')

  expect(namesIn(text)).toHaveLength(200)
})

test('a hostile text is read in linear time', () => {
  expect(slowShapes((text) => () => extractTags(text))).toEqual([])
})
