import fc from 'fast-check'
import { expect, test } from 'vitest'
import { splitLines } from '../../../../lib/core/text/clean.ts'
import { applyHunks, computeHunks } from '../../../../lib/core/text/diff/hunks.ts'
import { runs } from '../../../helpers/runs.ts'

const line = fc.constantFrom('a', 'b', 'c', 'The lamp turns.', '', ' ', '| x | y |', '\r', 'é̂', '😀')
const text = fc
  .array(fc.tuple(line, fc.constantFrom('\n', '\n', '\r\n', '')), { maxLength: 30 })
  .map((lines) => lines.map(([words, end]) => words + end).join(''))

/** A text and one made from it by changing, adding and leaving out lines. */
const edited = fc
  .tuple(
    text,
    fc.array(fc.tuple(fc.nat(40), fc.constantFrom('drop', 'add', 'change'), line), { maxLength: 12 }),
  )
  .map(([before, edits]) => {
    const lines = splitLines(before)
    for (const [at, edit, words] of edits) {
      lines.splice(
        at % (lines.length + 1),
        edit === 'add' ? 0 : 1,
        ...(edit === 'drop' ? [] : [`${words}\n`]),
      )
    }
    return [before, lines.join('')] as const
  })

const texts = fc.oneof(fc.tuple(text, text), edited)
const all = (before: string, after: string) => new Set(computeHunks(before, after).map(({ index }) => index))

test('all hunks make the new text, none the old one, byte for byte', () => {
  fc.assert(
    fc.property(texts, ([before, after]) => {
      expect(applyHunks(before, after, all(before, after))).toBe(after)
      expect(applyHunks(before, after, new Set())).toBe(before)
    }),
    { numRuns: runs(3000) },
  )
})

test('some hunks and then the rest of them make the new text', () => {
  fc.assert(
    fc.property(texts, fc.infiniteStream(fc.boolean()), ([before, after], coin) => {
      const chosen = new Set([...all(before, after)].filter(() => coin.next().value))

      const partly = applyHunks(before, after, chosen)

      expect(applyHunks(partly, after, all(partly, after))).toBe(after)
      const undone = new Set([...all(before, after)].filter((index) => !chosen.has(index)))
      const others = applyHunks(before, after, undone)
      expect(partly.length + others.length).toBe(before.length + after.length)
    }),
    { numRuns: runs(3000) },
  )
})

test('hunks are numbered in order, stand apart, and say what stands in both texts', () => {
  fc.assert(
    fc.property(texts, ([before, after]) => {
      const old = splitLines(before)
      const fresh = splitLines(after)
      let [oldEnd, freshEnd] = [-1, -1]

      computeHunks(before, after).forEach((hunk, place) => {
        expect(hunk.index).toBe(place)
        expect(hunk.before.lines).not.toEqual(hunk.after.lines)
        expect(old.slice(hunk.before.start).slice(0, hunk.before.lines.length)).toEqual(hunk.before.lines)
        expect(fresh.slice(hunk.after.start).slice(0, hunk.after.lines.length)).toEqual(hunk.after.lines)
        expect(hunk.before.start).toBeGreaterThan(oldEnd)
        expect(hunk.after.start).toBeGreaterThan(freshEnd)
        oldEnd = hunk.before.start + hunk.before.lines.length
        freshEnd = hunk.after.start + hunk.after.lines.length
      })
    }),
    { numRuns: runs(2000) },
  )
})

test('a change of line breaks alone, and of the break at the end, is a hunk', () => {
  expect(computeHunks('a\r\nb\r\n', 'a\r\nb\n')).toEqual([
    { index: 0, before: { start: 1, lines: ['b\r\n'] }, after: { start: 1, lines: ['b\n'] } },
  ])
  expect(computeHunks('a\nb', 'a\nb\n')).toHaveLength(1)
  expect(computeHunks('', 'a')).toEqual([
    { index: 0, before: { start: 0, lines: [] }, after: { start: 0, lines: ['a'] } },
  ])
  expect(computeHunks('same', 'same')).toEqual([])
})

test.each([
  ['between lines that are all different', (n: number) => `between ${n}\n`],
  ['between lines that are all the same', () => 'between\n'],
])('ten thousand hunks %s are told apart and can be chosen one by one', (_, between) => {
  const make = (word: string, changed: (n: number) => boolean) =>
    Array.from({ length: 10_000 }, (_, n) => `${changed(n) ? word : 'old'} ${n}\n${between(n)}`).join('')
  const before = make('old', () => true)
  const after = make('new', () => true)

  expect(computeHunks(before, after)).toHaveLength(10_000)
  const even = new Set(Array.from({ length: 5000 }, (_, n) => 2 * n))
  expect(applyHunks(before, after, even)).toBe(make('new', (n) => n % 2 === 0))
})

test('a megabyte that has nothing in common is one hunk', () => {
  const before = Array.from({ length: 40_000 }, (_, n) => `before ${n} ${'x'.repeat(12)}\n`).join('')
  const after = Array.from({ length: 40_000 }, (_, n) => `after ${n} ${'x'.repeat(12)}\n`).join('')

  expect(computeHunks(before, after)).toHaveLength(1)
  expect(applyHunks(before, after, new Set([0]))).toBe(after)
})

test('a megabyte of few words in another order is compared in bounded time', () => {
  let seed = 7
  const words = () => {
    seed = (seed * 48271) % 2147483647
    return `${'abcdefgh'[seed % 8]}\n`
  }
  const make = () => Array.from({ length: 500_000 }, words).join('')
  const [before, after] = [make(), make()]

  expect(applyHunks(before, after, all(before, after))).toBe(after)
})
