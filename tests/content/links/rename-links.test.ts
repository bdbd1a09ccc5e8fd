import fc from 'fast-check'
import { expect, test } from 'vitest'
import { extractLinks } from '../../../lib/content/links/extract.ts'
import { renameLinks } from '../../../lib/content/links/rename-links.ts'
import { normalizeName } from '../../../lib/core/text/normalize-name.ts'
import { runs } from '../../helpers/runs.ts'

function turn(text: string, to = 'The light') {
  const { left, ...turned } = renameLinks(text, new Map([['the lamp', to]]))
  return { ...turned, left: left.length }
}

test.each([
  ['[[The lamp]]', '[[The light]]'],
  ['[[the  LAMP.md]] and ![[ The lamp ]]', '[[The light]] and ![[The light]]'],
  [
    '[[The lamp|it]], [[The lamp#Oil]], [[The lamp#Oil|oil]]',
    '[[The light|it]], [[The light#Oil]], [[The light#Oil|oil]]',
  ],
  ['| [[The lamp\\|it]] | x |', '| [[The light\\|it]] | x |'],
  ['[it](The%20lamp.md#oil) [it](./The%20lamp)', '[it](The%20light.md#oil) [it](./The%20light)'],
  ['[it](<The lamp.md>) ![it](<../The lamp.md#oil>)', '[it](<The light.md>) ![it](<../The light.md#oil>)'],
  ['---\nrelated: "[[The lamp]]"\n---\n[[The lamp]]', '---\nrelated: "[[The light]]"\n---\n[[The light]]'],
])('%j becomes %j', (text, turned) => {
  expect(turn(text)).toMatchObject({ text: turned, left: 0 })
})

test.each([
  '`[[The lamp]]`',
  '```\n[[The lamp]]\n```',
  '[[The lamp oil]] [[Lamps/The lamp]] [[#The lamp]]',
  '[The lamp](https://a.example/The%20lamp.md) [x](/The%20lamp.md) [x](#The%20lamp)',
  'The lamp',
])('%j stays', (text) => {
  expect(turn(text)).toEqual({ text, count: 0, left: 0 })
})

test.each([
  ['[[The lamp]]', 'A | B'],
  ['[[The lamp]]', 'Notes [old]'],
  ['[[The lamp]]', 'C#'],
  ['[[The lamp]]', 'back\\'],
  ['[[The lamp]]', 'a `b` c'],
  ['[x](<The lamp.md>)', 'a > b'],
  ['[x](<The lamp.md>)', 'one ` of two'],
  ['---\nrelated: "[[The lamp]]"\n---\n', 'He said "no"'],
  ['---\nrelated: [[The lamp]]\n---\n', 'One: two'],
])('a link in %j is left where it cannot be written with %j', (text, to) => {
  expect(turn(text, to)).toEqual({ text, count: 0, left: 1 })
})

test('a turned link looks for the new name, and all other links stay as they were', () => {
  const title = fc
    .string({ minLength: 1, maxLength: 30, unit: 'grapheme' })
    .filter((text) => normalizeName(text) !== '')
  const piece = fc.constantFrom(
    '[[The lamp]]',
    '![[The lamp#a|b]]',
    '[x](The%20lamp.md)',
    '[x](<The lamp>)',
    '[[Other]]',
    ' | ',
    '\n',
    '`',
    'text ',
  )
  fc.assert(
    fc.property(fc.array(piece, { maxLength: 12 }), title, (pieces, to) => {
      const text = pieces.join('')
      const { text: turned, left } = turn(text, to)
      const expected = extractLinks(text).map((link) =>
        link.name === 'the lamp' ? { ...link, name: normalizeName(to) } : link,
      )
      if (left === 0) expect(extractLinks(turned)).toEqual(expected)
    }),
    { numRuns: runs(500) },
  )
})
