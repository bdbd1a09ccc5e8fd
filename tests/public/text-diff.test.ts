import fc from 'fast-check'
import { expect, test } from 'vitest'
import { diffText, diffTokens, diffWords, type Hunk } from '../../public/text-diff.ts'

const partsOf = (hunks: Hunk[]) =>
  hunks.flatMap((hunk) =>
    hunk.kind === 'changed' ? hunk.parts : [{ kind: 'same' as const, text: hunk.text }],
  )

const without = (hunks: Hunk[], left: string) =>
  partsOf(hunks)
    .filter(({ kind }) => kind !== left)
    .map(({ text }) => text)
    .join('')

test('only the words that differ are told', () => {
  expect(diffWords('The lamp turns once in twelve seconds.', 'The lamp turns once in ten seconds.')).toEqual([
    { kind: 'same', text: 'The lamp turns once in ' },
    { kind: 'removed', text: 'twelve' },
    { kind: 'added', text: 'ten' },
    { kind: 'same', text: ' seconds.' },
  ])
})

test('words with one space between them are told as one change', () => {
  expect(
    diffWords('It burns rapeseed oil every night here.', 'It burns best paraffin every night here.'),
  ).toEqual([
    { kind: 'same', text: 'It burns ' },
    { kind: 'removed', text: 'rapeseed oil' },
    { kind: 'added', text: 'best paraffin' },
    { kind: 'same', text: ' every night here.' },
  ])
})

test('lines far from a change are folded, with their number', () => {
  const lines = Array.from({ length: 40 }, (_, n) => `Line ${n}\n`)
  const changed = lines.with(20, 'Line twenty\n')

  const hunks = diffText(lines.join(''), changed.join(''))

  expect(hunks.map((hunk) => (hunk.kind === 'folded' ? hunk.lines : hunk.kind))).toEqual([
    18,
    'same',
    'changed',
    'same',
    17,
  ])
})

test('a sentence that was wholly rewritten is one removal and one addition', () => {
  const parts = diffWords('Ask the harbour master.', 'Nothing of this matters now, friend')

  expect(parts.map(({ kind }) => kind)).toEqual(['removed', 'added'])
})

test('equal texts have no change', () => {
  expect(diffText('a\nb\n', 'a\nb\n').some(({ kind }) => kind === 'changed')).toBe(false)
  expect(diffText('', '')).toEqual([])
})

test('whatever the texts are, both can be read off the diff', () => {
  const text = fc.string({ unit: fc.constantFrom('a', 'b', ' ', '\n', '.', 'é', '𝒳'), maxLength: 120 })

  fc.assert(
    fc.property(text, text, (before, after) => {
      const hunks = diffText(before, after)
      expect(without(hunks, 'added')).toBe(before)
      expect(without(hunks, 'removed')).toBe(after)
    }),
    { numRuns: 2000 },
  )
})

test('the number of edits is the least there is', () => {
  const letters = fc.array(fc.constantFrom('a', 'b', 'c'), { maxLength: 9 })

  fc.assert(
    fc.property(letters, letters, (old, now) => {
      const edits = diffTokens(old, now, 100)
        .filter(({ kind }) => kind !== 'same')
        .reduce((sum, { count }) => sum + count, 0)
      expect(edits).toBe(old.length + now.length - 2 * longestCommon(old, now))
    }),
  )
})

test('two long texts with nothing in common are compared in bounded time', () => {
  const noise = (seed: number) => Array.from({ length: 60_000 }, (_, n) => `w${(n * seed) % 9973}`)
  const started = performance.now()

  const hunks = diffText(noise(7).join(' '), noise(11).join('\n'))

  expect(hunks).toHaveLength(1)
  expect(performance.now() - started).toBeLessThan(1500)
})

function longestCommon(a: string[], b: string[]): number {
  const [first, ...rest] = a
  if (first === undefined || b.length === 0) return 0
  const skipped = longestCommon(rest, b)
  const at = b.indexOf(first)
  return at < 0 ? skipped : Math.max(skipped, 1 + longestCommon(rest, b.slice(at + 1)))
}
