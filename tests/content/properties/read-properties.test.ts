import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import {
  aliasesOf,
  listProperties,
  readProperties,
} from '../../../lib/core/text/properties/read-properties.ts'

describe('reading', () => {
  test('single values and lists are values; what is nested is left out', () => {
    const yaml =
      'title: Lamp\nposition: 3\ndone: true\nempty:\naliases: [a, 1, ~]\nplace:\n  north: 59\n? [x]\n: 1\n'

    expect(readProperties(yaml)).toEqual({
      properties: { title: 'Lamp', position: 3, done: true, empty: null, aliases: ['a', 1] },
      problem: null,
    })
  })

  test('YAML that cannot be read is said to be so', () => {
    expect(readProperties('x: [1\n')).toEqual({
      properties: {},
      problem: expect.stringContaining('Flow sequence'),
    })
  })

  test('of a key that is there twice, the last one counts', () => {
    expect(readProperties('a: 1\na: 2\n').properties).toEqual({ a: 2 })
  })

  test('a key of every object is a property like any other', () => {
    const { properties } = readProperties('__proto__: x\nconstructor: y\n')

    expect(Object.entries(properties)).toEqual([
      ['__proto__', 'x'],
      ['constructor', 'y'],
    ])
  })

  test('aliases are a list or one name', () => {
    expect(aliasesOf({ aliases: ['a', 1, true], alias: 'b' })).toEqual(['a', '1', 'b'])
  })
})

describe('listing', () => {
  test('values are as they are written: one value, lists of both kinds, quoted text', () => {
    const properties = listProperties(`status: in service   # since May
version: 1.0
tags: [light, "first order", [[The lamp]]]
keepers:
  - Anna
  - 'Brit'
source: "https://example.org/a: b"
up: [[The coast|Coast]]
empty:
`)

    expect(properties).toEqual([
      { name: 'status', values: ['in service'], value: 'in service' },
      { name: 'version', values: ['1.0'], value: 1 },
      {
        ...{ name: 'tags', values: ['light', 'first order', '[[The lamp]]'] },
        value: ['light', 'first order', '[[The lamp]]'],
      },
      { name: 'keepers', values: ['Anna', 'Brit'], value: ['Anna', 'Brit'] },
      { name: 'source', values: ['https://example.org/a: b'], value: 'https://example.org/a: b' },
      { name: 'up', values: ['[[The coast|Coast]]'], value: '[[The coast|Coast]]' },
      { name: 'empty', values: [], value: null },
    ])
  })

  test('what is nested is one value, and what is no property has no name', () => {
    expect(listProperties('place:\n  north: 59\n  coast:\n    west: 1\nkeepers: [{ name: Anna }]\n')).toEqual(
      [
        { name: 'place', values: ['north: 59\ncoast:\n  west: 1'] },
        { name: 'keepers', values: ['{ name: Anna }'], value: [] },
      ],
    )
    expect(listProperties('just words\n')).toEqual([{ name: '', values: ['just words'] }])
    expect(listProperties('x: [1\n')).toEqual([{ name: '', values: ['x: [1'] }])
    expect(listProperties('')).toEqual([])
  })

  test('no text makes it throw', () => {
    fc.assert(
      fc.property(fc.string({ unit: fc.constantFrom(...'ab:-?[]{}&*!|>#\'"\n ,') }), (yaml) => {
        expect(Array.isArray(listProperties(yaml))).toBe(true)
      }),
    )
  })
})

describe('hostile YAML costs little, at one size as at twice the size', () => {
  const numbers = (count: number) => Array.from({ length: count }, (_, n) => n)
  const shapes: [string, (size: number) => string][] = [
    ['keys within keys', (size) => '? '.repeat(size / 2)],
    [
      'keys',
      (size) =>
        numbers(size / 8)
          .map((n) => `k${n}: 1`)
          .join('\n'),
    ],
    [
      'keys in braces',
      (size) =>
        `{${numbers(size / 8)
          .map((n) => `k${n}: 1`)
          .join()}}`,
    ],
    ['open brackets', (size) => '['.repeat(size)],
    ['lists within lists', (size) => `a:\n${'- '.repeat(size / 2)}`],
    [
      'aliases of aliases',
      (size) =>
        numbers(size / 40)
          .map((n) => `l${n}: &l${n} [*l${n - 1}, *l${n - 1}]`)
          .join('\n'),
    ],
    ['aliases', (size) => `a: &a x\nb:\n${'- *a\n'.repeat(size / 5)}`],
    ['lists in a list', (size) => `a: [${'[],'.repeat(size / 3)}]`],
    ['comments', (size) => '#x\n'.repeat(size / 3)],
    ['directives', (size) => '%x\n'.repeat(size / 3)],
    ['line continuations', (size) => `a: "${'\\\n'.repeat(size / 2)}"`],
  ]

  test.each(shapes.flatMap(([name, make]) => [15_000, 30_000].map((size) => [name, size, make] as const)))(
    '%s, %i characters',
    (_, size, make) => {
      const yaml = make(size)

      expect(Object.keys(readProperties(yaml).properties).length).toBeLessThanOrEqual(size / 8)
      expect(
        listProperties(yaml)
          .flatMap(({ values }) => values)
          .join('').length,
      ).toBeLessThanOrEqual(yaml.length)
    },
  )

  test.each([250_000, 500_000])('%i characters are not read', (size) => {
    const yaml = shapes[1]![1](size)

    expect(readProperties(yaml)).toEqual({ properties: {}, problem: expect.stringContaining('longer than') })
    expect(listProperties(yaml)).toEqual([{ name: '', values: [yaml] }])
  })
})
