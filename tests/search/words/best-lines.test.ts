import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { bestLines, wordsToFind } from '../../../lib/search/words/best-lines.ts'
import { runs } from '../../helpers/runs.ts'

const lamp = `## The lamp

The lamp turns once in twelve seconds. The keeper winds the clockwork every four hours.

- Oil: rapeseed, from Bergen
- Wick: changed on the first of the month
- Glass: cleaned every morning with vinegar, and dried with a cloth that is kept for nothing else

Nobody may touch the lens. It was ground in Paris in 1862 and cannot be replaced.`

const lines = (question: string, maxBytes: number) => bestLines(lamp, wordsToFind(question), maxBytes)

test('a text that fits is given whole, paragraph by paragraph', () => {
  expect(lines('When is the wick changed?', 2000)).toEqual(lamp.split('\n\n'))
})

test.each([
  ['When is the wick changed?', '- Wick: changed on the first of the month'],
  ['oil', '- Oil: rapeseed, from Bergen'],
  ['Who ground the lens?', 'Nobody may touch the lens.'],
  ['lenses', 'Nobody may touch the lens.'],
])('%j finds the line that answers', (question, answer) => {
  expect(lines(question, 160).join('\n')).toContain(answer)
})

test('what stands around the line comes with it where there is room', () => {
  expect(lines('When is the wick changed?', 130)).toEqual([
    '- Oil: rapeseed, from Bergen\n- Wick: changed on the first of the month',
  ])
})

test('where no line holds a word, it is the beginning, and no heading', () => {
  expect(lines('zebra', 130)[0]).toMatch(/^The lamp turns once/)
})

test('a line that alone is too long is cut at the end of a word', () => {
  const [part, ...more] = bestLines('boathouse '.repeat(400).trim(), ['boathouse'], 100)

  expect(more).toEqual([])
  expect(part).toMatch(/^boathouse( boathouse)+$/)
})

describe('of any text', () => {
  const text = fc.oneof(
    fc.string({ unit: 'grapheme', maxLength: 600 }),
    fc
      .array(fc.constantFrom('lamp', 'oil. ', '\n', '\n\n', '# ', '鑑龘', '"\\', '👩‍👩‍👧', ' '), {
        maxLength: 200,
      })
      .map((pieces) => pieces.join('')),
  )

  test('every part stands in it, in order, and all of them fit', () => {
    fc.assert(
      fc.property(
        text,
        fc.string({ maxLength: 40 }),
        fc.integer({ min: 60, max: 900 }),
        (of, question, max) => {
          const source = of.toWellFormed()
          const parts = bestLines(source, wordsToFind(question), max)
          let from = 0
          for (const part of parts) {
            const at = source.indexOf(part, from)
            expect(at).toBeGreaterThanOrEqual(from)
            from = at + part.length
          }
          const cost = parts.reduce((sum, part) => sum + Buffer.byteLength(JSON.stringify(part)) + 30, 0)
          expect(cost).toBeLessThanOrEqual(max)
          expect(parts.length > 0).toBe(source.trim() !== '')
        },
      ),
      { numRuns: runs(400) },
    )
  })
})
