import fc from 'fast-check'
import { expect, test } from 'vitest'
import { rewriteLinks } from '../../../lib/content/links/rewrite-links.ts'
import { readLinks } from '../../../lib/core/text/links/read-links.ts'
import { normalizeName } from '../../../lib/core/text/normalize-name.ts'
import { runs } from '../../helpers/runs.ts'

/** The name that a link has at its end. */
const nameOf = (target: string) => normalizeName(target.replace(/^(\.\.?\/)+/, ''))

function turn(text: string, to = 'The light') {
  const { left, ...turned } = rewriteLinks(text, ({ form, target }) => {
    if (nameOf(target) !== 'the lamp' || target.startsWith('/')) return undefined
    const [before = ''] = /^(\.\.?\/)*/.exec(target) ?? []
    return form === 'wiki' ? to : `${before}${to}${/\.md$/.exec(target)?.[0] ?? ''}`
  })
  return { ...turned, left: left.length }
}

const targets = (text: string) =>
  readLinks(text).map(({ form, target, heading, label }) => ({ form, target, heading, label }))

test.each([
  ['[[The lamp]]', '[[The light]]'],
  ['[[the  LAMP.md]] and ![[ The lamp ]]', '[[The light]] and ![[ The light ]]'],
  [
    '[[The lamp|it]], [[The lamp#Oil]], [[The lamp#Oil|oil]]',
    '[[The light|it]], [[The light#Oil]], [[The light#Oil|oil]]',
  ],
  ['| [[The lamp\\|it]] | x |', '| [[The light\\|it]] | x |'],
  ['[it](The%20lamp.md#oil) [it](./The%20lamp)', '[it](The%20light.md#oil) [it](./The%20light)'],
  ['[it](<The lamp.md>) ![it](<../The lamp.md#oil>)', '[it](<The light.md>) ![it](<../The light.md#oil>)'],
  ['[x][l]\n\n[l]: The%20lamp.md "t"', '[x][l]\n\n[l]: The%20light.md "t"'],
  ['<a href="The%20lamp.md">x</a>', '<a href="The%20light.md">x</a>'],
  ['- ```\n  [[The lamp]]\n  ```\n- [[The lamp]]', '- ```\n  [[The lamp]]\n  ```\n- [[The light]]'],
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
])('a link in %j is left where it cannot be written with %j', (text, to) => {
  expect(turn(text, to)).toEqual({ text, count: 0, left: 1 })
})

test.each([
  ['---\nup: "[[The lamp]]"\n---\n', 'He said', '---\nup: "[[He said]]"\n---\n'],
  ['---\nup: "[[The lamp]]"\n---\n', 'He said "no"', '---\nup: "[[He said \\"no\\"]]"\n---\n'],
  ["---\nup: '[[The lamp]]'\n---\n", "Anna's", "---\nup: '[[Anna''s]]'\n---\n"],
  ['---\nup: [[The lamp]] # why\n---\n', 'One: two', '---\nup: "[[One: two]]" # why\n---\n'],
  ['---\nup:\n  - [[The lamp]]\n---\n', 'A, b', '---\nup:\n  - "[[A, b]]"\n---\n'],
  ['---\nup: see [[The lamp]]\n---\n', 'One: two', '---\nup: "see [[One: two]]"\n---\n'],
  ['[x](<The lamp.md>)', 'a > b', '[x](<a %3E b.md>)'],
  ['[x](The%20lamp.md)', 'ä (b)', '[x](ä%20%28b%29.md)'],
])('%j, to %j, is written so that it can be read', (text, to, turned) => {
  expect(turn(text, to)).toMatchObject({ text: turned, left: 0 })
})

test('references to blocks keep their ids', () => {
  const id = '5f3a1b2c-1111-4222-8333-123456789abc'
  const text = `((${id})) [label](((${id}))) {{embed ((${id}))}}`

  expect(rewriteLinks(text, () => 'The light')).toEqual({ text, count: 0, left: [] })
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
      const expected = targets(text).map((link) =>
        nameOf(link.target) === 'the lamp'
          ? { ...link, target: link.form === 'path' && /\.md$/.test(link.target) ? `${to}.md` : to }
          : link,
      )
      if (left === 0) expect(targets(turned)).toEqual(expected)
    }),
    { numRuns: runs(500) },
  )
})
