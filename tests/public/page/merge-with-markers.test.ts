import fc from 'fast-check'
import { expect, test } from 'vitest'
import { mergeText } from '../../../lib/core/text/diff/merge-text.ts'
import { mergeWithMarkers, openConflicts } from '../../../public/page/unsaved/merge-with-markers.ts'
import { runs } from '../../helpers/runs.ts'

const base = 'one\ntwo\nthree\nfour\nfive\n'

test('changes in different places are both taken', () => {
  const mine = 'ONE\ntwo\nthree\nfour\nfive\n'
  const theirs = 'one\ntwo\nthree\nfour\nfive\nsix\n'

  expect(mergeWithMarkers(base, mine, theirs)).toEqual({
    text: 'ONE\ntwo\nthree\nfour\nfive\nsix\n',
    conflicts: 0,
  })
})

test('the same change on both sides is taken once', () => {
  const both = 'one\ntwo\n3\nfour\nfive\n'

  expect(mergeWithMarkers(base, both, both)).toEqual({ text: both, conflicts: 0 })
})

test('what both changed differently is between markers, with everything around it as it was', () => {
  const merge = mergeWithMarkers(base, 'one\ntwo\nmine\nfour\nfive\n', 'one\ntwo\ntheirs\nfour\nfive\n')

  expect(merge).toEqual({
    text: 'one\ntwo\n<<<<<<< mine\nmine\n=======\ntheirs\n>>>>>>> theirs\nfour\nfive\n',
    conflicts: 1,
  })
  expect(openConflicts(merge.text)).toBe(1)
})

test('without a base, every difference is a conflict', () => {
  expect(mergeWithMarkers(null, 'a\nb\nc\nd', 'a\nB\nc\n')).toEqual({
    text: 'a\n<<<<<<< mine\nb\n=======\nB\n>>>>>>> theirs\nc\n<<<<<<< mine\nd\n=======\n>>>>>>> theirs\n',
    conflicts: 2,
  })
})

const text = fc
  .array(fc.constantFrom('a', 'b', 'c', 'd', ''), { maxLength: 12 })
  .map((lines) => lines.map((line) => `${line}\n`).join(''))

test('where one side changed nothing, the other side is the result', () => {
  fc.assert(
    fc.property(text, text, (one, other) => {
      expect(mergeWithMarkers(one, one, other).text).toBe(other)
      expect(mergeWithMarkers(one, other, one).text).toBe(other)
    }),
  )
})

test('every line that either side has added is in the result', () => {
  fc.assert(
    fc.property(text, text, text, (origin, mine, theirs) => {
      const merged = mergeWithMarkers(origin, `${mine}only mine\n`, `only theirs\n${theirs}`).text

      expect(merged).toContain('only mine\n')
      expect(merged).toContain('only theirs\n')
    }),
  )
})

test('the editor merges as the server does: the same text and the same conflicts', () => {
  fc.assert(
    fc.property(text, text, text, (origin, mine, theirs) => {
      const onServer = mergeText({ base: origin, current: theirs, draft: mine })

      const inEditor = mergeWithMarkers(origin, mine, theirs)

      expect(inEditor.conflicts).toBe(onServer.conflicts.length)
      expect(openConflicts(inEditor.text)).toBe(onServer.conflicts.length)
      expect(takeTheirs(inEditor.text)).toBe(onServer.text)
      for (const { current, draft } of onServer.conflicts) {
        expect(inEditor.text).toContain(`<<<<<<< mine\n${draft}=======\n${current}>>>>>>> theirs\n`)
      }
    }),
    { numRuns: runs(2000) },
  )
})

/** The text with every conflict resolved to theirs. */
const takeTheirs = (merged: string): string =>
  merged.replace(/^<{7} mine\n.*?^={7}\n(.*?)^>{7} theirs\n/gms, '$1')
