import fc from 'fast-check'
import { expect, test } from 'vitest'
import { mergeTexts, openConflicts } from '../../../public/page/merge.ts'

const base = 'one\ntwo\nthree\nfour\nfive\n'

test('changes in different places are both taken', () => {
  const mine = 'ONE\ntwo\nthree\nfour\nfive\n'
  const theirs = 'one\ntwo\nthree\nfour\nfive\nsix\n'

  expect(mergeTexts(base, mine, theirs)).toBe('ONE\ntwo\nthree\nfour\nfive\nsix\n')
})

test('the same change on both sides is taken once', () => {
  const both = 'one\ntwo\n3\nfour\nfive\n'

  expect(mergeTexts(base, both, both)).toBe(both)
})

test('what both changed differently stands between marks, with everything around it as it was', () => {
  const merged = mergeTexts(base, 'one\ntwo\nmine\nfour\nfive\n', 'one\ntwo\ntheirs\nfour\nfive\n')

  expect(merged).toBe('one\ntwo\n<<<<<<< mine\nmine\n=======\ntheirs\n>>>>>>> theirs\nfour\nfive\n')
  expect(openConflicts(merged)).toBe(1)
})

test('without a base, whatever differs is to be settled', () => {
  expect(openConflicts(mergeTexts(null, 'a\nb\nc\n', 'a\nB\nc\n'))).toBe(1)
})

const text = fc
  .array(fc.constantFrom('a', 'b', 'c', 'd', ''), { maxLength: 12 })
  .map((lines) => lines.map((line) => `${line}\n`).join(''))

test('where one side changed nothing, the other side is the result', () => {
  fc.assert(
    fc.property(text, text, (one, other) => {
      expect(mergeTexts(one, one, other)).toBe(other)
      expect(mergeTexts(one, other, one)).toBe(other)
    }),
  )
})

test('every line that either side has added is in the result', () => {
  fc.assert(
    fc.property(text, text, text, (origin, mine, theirs) => {
      const merged = mergeTexts(origin, `${mine}only mine\n`, `only theirs\n${theirs}`)

      expect(merged).toContain('only mine\n')
      expect(merged).toContain('only theirs\n')
    }),
  )
})
