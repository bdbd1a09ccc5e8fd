// One property is changed in place; every other character of the text stays as it was.

import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { splitFrontMatter } from '../../../lib/core/text/markdown.ts'
import { editProperties, type PropertyEdit } from '../../../lib/core/text/properties/edit-properties.ts'
import { propertyValues } from '../../../lib/core/text/properties/read-properties.ts'
import { slowShapes } from '../../helpers/growth.ts'

const page = `---
# About the boat
name:   Cutter   # her own
"home port": [[Harbours]]
length: 12.5
tags: [sail, wood]
crew:
- Anna   # skipper
- Bo
rig:
    - gaff
afloat: true
empty:
place:
  north: 59

last: 'x'
---
# Text

name: not a property
`
const change = (edit: PropertyEdit, text = page) => editProperties(text, edit)
const lines = (text: string | null) => (text ?? '').split('\n')
/** The lines that went and came. */
const diff = (edit: PropertyEdit) => {
  const { text, problem } = change(edit)
  expect(problem).toBeNull()
  const [before, after] = [lines(page), lines(text)]
  return {
    gone: before.filter((line) => !after.includes(line)),
    came: after.filter((line) => !before.includes(line)),
  }
}

describe('in place', () => {
  test.each<[string, PropertyEdit, string[], string[]]>([
    [
      'a text',
      { set: { name: 'name', value: 'Yawl' } },
      ['name:   Cutter   # her own'],
      ['name: Yawl   # her own'],
    ],
    ['a number', { set: { name: 'length', value: 13 } }, ['length: 12.5'], ['length: 13']],
    ['a checkbox', { set: { name: 'afloat', value: false } }, ['afloat: true'], ['afloat: false']],
    ['what was empty', { set: { name: 'empty', value: '2026-03-01' } }, ['empty:'], ['empty: 2026-03-01']],
    ['to nothing', { set: { name: 'length', value: null } }, ['length: 12.5'], ['length:']],
    [
      'a text that looks like something else',
      { set: { name: 'length', value: 'true' } },
      ['length: 12.5'],
      ['length: "true"'],
    ],
    [
      'a link',
      { set: { name: 'home port', value: '[[The Coast]]' } },
      ['"home port": [[Harbours]]'],
      ['"home port": "[[The Coast]]"'],
    ],
    [
      'a list in one line',
      { set: { name: 'tags', value: ['sail', 'a: b'] } },
      ['tags: [sail, wood]'],
      ['tags: [sail, "a: b"]'],
    ],
    [
      'a list without an indent',
      { set: { name: 'crew', value: ['Bo', 'Cleo'] } },
      ['- Anna   # skipper'],
      ['- Cleo'],
    ],
    [
      'an indented list',
      { set: { name: 'rig', value: ['gaff', 'jib'] } },
      ['    - gaff'],
      ['  - gaff', '  - jib'],
    ],
    [
      'a name',
      { rename: { name: 'name', to: 'what: is it' } },
      ['name:   Cutter   # her own'],
      ['"what: is it":   Cutter   # her own'],
    ],
    ['a property away', { remove: { name: 'length' } }, ['length: 12.5'], []],
    ['a list away', { remove: { name: 'crew' } }, ['crew:', '- Anna   # skipper', '- Bo'], []],
    ['a nested one away', { remove: { name: 'last' } }, ["last: 'x'"], []],
    ['a new one in', { add: { name: 'rating', value: 8 } }, [], ['rating: 8']],
    [
      'a new list in',
      { add: { name: 'ports', value: ['A', '[[B]]'] } },
      [],
      ['ports:', '  - A', '  - "[[B]]"'],
    ],
  ])('%s', (_, edit, gone, came) => {
    expect(diff(edit)).toEqual({ gone, came })
  })
})

test('a text without front matter gets one, and one whose last property goes loses it', () => {
  const { text } = change({ add: { name: 'rating', value: 8 } }, 'Text\n')

  expect(text).toBe('---\nrating: 8\n---\nText\n')
  expect(change({ remove: { name: 'rating' } }, text!).text).toBe('Text\n')
  expect(change({ add: { name: 'a', value: 1 } }, '---\n---\nText').text).toBe('---\na: 1\n---\nText')
})

test('line breaks of Windows stay', () => {
  const { text } = change({ set: { name: 'a', value: ['x', 'y'] } }, '---\r\na: 1\r\nb: 2\r\n---\r\nText\r\n')

  expect(text).toBe('---\r\na:\r\n  - x\r\n  - y\r\nb: 2\r\n---\r\nText\r\n')
})

test.each<[string, PropertyEdit, string, string]>([
  ['one that is there already', { add: { name: 'Name', value: 1 } }, page, 'exists'],
  ['a name that another one has', { rename: { name: 'length', to: 'NAME' } }, page, 'exists'],
  ['one that is not there', { set: { name: 'depth', value: 1 } }, page, 'absent'],
  ['one of a text without any', { remove: { name: 'depth' } }, 'Text', 'absent'],
  ['YAML that cannot be read', { set: { name: 'a', value: 1 } }, '---\na: [\n---\n', 'unreadable'],
  ['a nested one', { set: { name: 'place', value: 1 } }, page, 'unreadable'],
  [
    'a list that holds nested ones',
    { set: { name: 'a', value: ['x'] } },
    '---\na: [{b: 1}]\n---\n',
    'unreadable',
  ],
  ['YAML as in JSON', { set: { name: 'a', value: 1 } }, '---\n{a: 1}\n---\n', 'unreadable'],
  ['a list', { add: { name: 'a', value: 1 } }, '---\n- a\n---\n', 'unreadable'],
  ['what others refer to', { set: { name: 'a', value: 1 } }, '---\na: &x 2\nb: *x\n---\n', 'unreadable'],
  [
    'too much of it',
    { set: { name: 'a', value: 1 } },
    `---\na: 1\nb: ${'x'.repeat(40_000)}\n---\n`,
    'unreadable',
  ],
])('%s is refused', (_, edit, text, problem) => {
  expect(change(edit, text)).toEqual({ text: null, problem })
})

test('any edit of any text changes one property and nothing else, or is refused', () => {
  const name = fc.constantFrom('a', 'b c', 'tags', '"q"', 'x: y', '#', 'null', '-')
  // biome-ignore format: a list of words
  const words = [
    '', 'a', 'a: b', '# x', "it's", '"q"', 'true', '12', '- x', '[y]', '{z', '&k', '*r', '!t', '@', '%', ' sp ', 'ø🌲',
    '[[L]]', '2026-01-01', '---', '...', '|', '>', '? k', 'null', '~',
  ]
  const scalar = fc.oneof(fc.constantFrom(...words), fc.integer(), fc.boolean())
  const value = fc.oneof(scalar, fc.constant(null), fc.array(scalar, { maxLength: 3 }))
  const edit: fc.Arbitrary<PropertyEdit> = fc.oneof(
    fc.record({ add: fc.record({ name, value }) }),
    fc.record({ set: fc.record({ name, value }) }),
    fc.record({ rename: fc.record({ name, to: name }) }),
    fc.record({ remove: fc.record({ name }) }),
  )
  const line = fc.constantFrom(
    'a: 1',
    'a:',
    'b c: [x, y] # z',
    'tags:',
    '  - one',
    '- two',
    '# c',
    '',
    '"q": |',
    '  text',
    'x: {y: 1}',
    'null: "n"',
    '? k',
  )
  fc.assert(
    fc.property(fc.array(line, { maxLength: 8 }), edit, (written, wanted) => {
      const text = `---\n${written.map((one) => `${one}\n`).join('')}---\nText\n---\n`
      const edited = change(wanted, text)
      if (edited.text === null) return

      const [before, after] = [text, edited.text].map((each) => propertyValues(splitFrontMatter(each).yaml))
      expect(edited.text.endsWith('Text\n---\n')).toBe(true)
      expect(Math.abs(after!.length - before!.length)).toBeLessThanOrEqual(1)
      expect(
        after!.filter((one) => !before!.some((other) => JSON.stringify(one) === JSON.stringify(other)))
          .length,
      ).toBeLessThanOrEqual(1)
    }),
  )
})

test('a hostile text is changed in linear time', () => {
  const edit: PropertyEdit = { set: { name: 'a', value: 1 } }

  expect(slowShapes((text) => () => editProperties(`---\na: 1\n${text}`, edit))).toEqual([])
  expect(
    slowShapes((text) => () => editProperties('---\na: 1\n---\n', { set: { name: 'a', value: text } })),
  ).toEqual([])
})
