import fc from 'fast-check'
import { expect, test } from 'vitest'
import { diffWords } from '../../../../lib/core/text/diff/diff-words.ts'
import { runs } from '../../../helpers/runs.ts'
import { markdownText, sideOf } from './arbitrary-text.ts'

test('the parts hold both sides, byte for byte', () => {
  const letters = fc.string({ unit: fc.constantFrom('a', 'b', ' ', '\n', '.', 'é', '𝒳'), maxLength: 120 })
  const text = fc.oneof(markdownText, letters)

  fc.assert(
    fc.property(text, text, (before, after) => {
      const parts = diffWords(before, after)

      expect(sideOf(parts, 'before')).toBe(before)
      expect(sideOf(parts, 'after')).toBe(after)
      expect(parts.every(({ text }) => text !== '')).toBe(true)
    }),
    { numRuns: runs(4000) },
  )
})

test('only the words that differ are in the changed parts', () => {
  expect(diffWords('The lamp turns once in twelve seconds.', 'The lamp turns once in ten seconds.')).toEqual([
    { kind: 'same', text: 'The lamp turns once in ' },
    { kind: 'removed', text: 'twelve' },
    { kind: 'added', text: 'ten' },
    { kind: 'same', text: ' seconds.' },
  ])
})

test('an amount is one word, with its sign and separators', () => {
  expect(diffWords('It costs €2,300, or 12.50 a m².', 'It costs €2,450, or 12.75 a m².')).toEqual([
    { kind: 'same', text: 'It costs ' },
    { kind: 'removed', text: '€2,300' },
    { kind: 'added', text: '€2,450' },
    { kind: 'same', text: ', or ' },
    { kind: 'removed', text: '12.50' },
    { kind: 'added', text: '12.75' },
    { kind: 'same', text: ' a m².' },
  ])
})

test('changed words with one space between them are one change', () => {
  expect(
    diffWords('It burns rapeseed oil every night here.', 'It burns best paraffin every night here.'),
  ).toEqual([
    { kind: 'same', text: 'It burns ' },
    { kind: 'removed', text: 'rapeseed oil' },
    { kind: 'added', text: 'best paraffin' },
    { kind: 'same', text: ' every night here.' },
  ])
})

test('a sentence that was rewritten is one removal and one addition', () => {
  const parts = diffWords('Ask the harbour master.', 'Nothing of this matters now, friend')

  expect(parts.map(({ kind }) => kind)).toEqual(['removed', 'added'])
})

test('equal texts have no change', () => {
  expect(diffWords('a\nb\n', 'a\nb\n')).toEqual([{ kind: 'same', text: 'a\nb\n' }])
  expect(diffWords('', '')).toEqual([])
})
