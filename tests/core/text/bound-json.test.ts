import fc from 'fast-check'
import { expect, test } from 'vitest'
import { boundJson } from '../../../lib/core/text/bounds.ts'

test('what is short stays as it is', () => {
  const value = { q: 'lamp', kinds: ['page'], limit: 3, nothing: null }

  expect(boundJson(value)).toEqual(value)
})

test('long texts and lists are cut, and what is left out is counted', () => {
  const { body, edits } = boundJson({
    body: 'x'.repeat(9000),
    edits: Array.from({ length: 60 }, () => 'y'),
  }) as {
    body: string
    edits: string[]
  }

  expect(body).toBe(`${'x'.repeat(500)}… (9000 characters)`)
  expect(edits).toHaveLength(51)
  expect(edits.at(-1)).toBe('… and 10 more')
})

test('whatever comes, it stays small and well-formed', () => {
  const deep = fc.letrec((tie) => ({
    value: fc.oneof(
      { depthSize: 'large', maxDepth: 6 },
      fc.string({ unit: 'binary', maxLength: 2000 }),
      fc.array(tie('value'), { maxLength: 80 }),
      fc.dictionary(fc.string({ maxLength: 300 }), tie('value'), { maxKeys: 80 }),
    ),
  })).value

  fc.assert(
    fc.property(deep, (value) => {
      const text = JSON.stringify(boundJson(value))
      expect(text.length).toBeLessThan(20_000)
      expect(() => JSON.parse(text)).not.toThrow()
    }),
    { numRuns: 200 },
  )
})
