import fc from 'fast-check'
import { expect, test } from 'vitest'
import { splitProperties } from '../../../public/page/front-matter.ts'

test('properties are read as they are written: one value, lists of both kinds, quoted text', () => {
  const { properties, content } = splitProperties(`---
status: in service   # since May
tags: [light, "first order", [[The lamp]]]
keepers:
  - Anna
  - 'Brit'
source: "https://example.org/a: b"
empty:
---
# The lamp
`)

  expect(properties).toEqual([
    { name: 'status', values: ['in service'] },
    { name: 'tags', values: ['light', 'first order', '[[The lamp]]'] },
    { name: 'keepers', values: ['Anna', 'Brit'] },
    { name: 'source', values: ['https://example.org/a: b'] },
    { name: 'empty', values: [] },
  ])
  expect(content).toBe('# The lamp\n')
})

test('what is nested is shown as it is written, and a line that is no property by itself', () => {
  const { properties } = splitProperties('---\njust words\nplace:\n  north: 59\n  east: 18\n---\n')

  expect(properties).toEqual([
    { name: '', values: ['just words'] },
    { name: 'place', values: ['north: 59\neast: 18'] },
  ])
})

test('a text that only begins with a line is no front matter', () => {
  expect(splitProperties('---\nA thought.\n')).toEqual({ properties: [], content: '---\nA thought.\n' })
})

test('no text makes it throw, and what is not front matter is kept whole', () => {
  fc.assert(
    fc.property(fc.string(), (text) => {
      const { content } = splitProperties(`---\n${text}\n---\nafter`)
      expect(content.endsWith('after')).toBe(true)
    }),
  )
})
