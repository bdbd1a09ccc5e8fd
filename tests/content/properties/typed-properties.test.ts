import { expect, test } from 'vitest'
import { typedProperties } from '../../../lib/core/text/properties/typed-properties.ts'
import { slowShapes } from '../../helpers/growth.ts'

const read = (yaml: string) => typedProperties(`---\n${yaml}\n---\nText`)
const one = (yaml: string) => [...read(yaml).values()][0]

test.each([
  ['title: The Lamp', 'text', 'The Lamp', ['the lamp']],
  ['rating: 6.5', 'number', 6.5, ['6.5']],
  ['done: true', 'checkbox', true, ['true']],
  ['on: 2026-03-01', 'date', '2026-03-01', ['2026-03-01']],
  ['at: 2026-03-01T10:30', 'date', '2026-03-01T10:30', ['2026-03-01t10:30']],
  ['on: 2026-13-01', 'text', '2026-13-01', ['2026-13-01']],
  ['up: "[[Notes/The Coast#Sea|coast]]"', 'link', '[[Notes/The Coast#Sea|coast]]', ['the coast']],
  ['up: [[The Coast]]', 'link', '[[The Coast]]', ['the coast']],
  ['in: [a, 2, "[[B]]", ~]', 'list', ['a', 2, '[[B]]'], ['a', '2', 'b']],
  ['in: []', 'list', [], []],
  ['empty:', 'text', null, []],
  ['empty: ""', 'text', null, []],
  ['far: .inf', 'text', 'Infinity', ['infinity']],
])('%s is a %s', (yaml, type, value, keys) => {
  expect(one(yaml)).toMatchObject({ type, value, keys })
})

test('names are compared in any case; of two the last counts; nested values are left out', () => {
  const found = read('Rating: 1\nrating: 2\nplace:\n  north: 59\n')

  expect([...found]).toMatchObject([['rating', { name: 'rating', value: 2 }]])
})

test('a page has no property that is named like what every page has', () => {
  expect([...read('file.name: x\nFILE.tags: [a]\nfile: y').keys()]).toEqual(['file'])
})

test('how much is taken is bounded', () => {
  const many = Array.from({ length: 300 }, (_, at) => `p${at}: 1`).join('\n')
  const list = `a: [${Array.from({ length: 500 }, (_, at) => at).join(', ')}]`

  expect(read(many).size).toBe(100)
  expect(one(list)?.value).toHaveLength(200)
  expect(one(`a: ${'x'.repeat(5000)}`)).toMatchObject({ value: 'x'.repeat(1000), s: 'x'.repeat(1000) })
})

test('what YAML may escape and a database refuses is left out', () => {
  expect(one(String.raw`a: "x\0y\ud800"`)?.value).toBe('xy\ufffd')
})

test('a hostile text is read in linear time', () => {
  expect(slowShapes((text) => () => typedProperties(text))).toEqual([])
})
