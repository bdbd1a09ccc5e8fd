import fc from 'fast-check'
import { expect, test } from 'vitest'
import { fuse as fuseBy } from '../../lib/search/rank-passages.ts'

const passage = (id: string, ordinal = 0) => ({
  space_id: 's',
  entity_type: 'page',
  entity_id: id,
  ordinal,
  title: id,
  heading_path: [],
  text: id,
  start_line: 1,
  end_line: 1,
})
const lexical = (id: string, score: number) => ({ ...passage(id), score })
const near = (id: string, similarity: number, words = 0) => ({ ...passage(id), similarity, lexical: words })
const fuse = (words: Parameters<typeof fuseBy>[0], meanings: Parameters<typeof fuseBy>[1]) =>
  fuseBy(words, meanings, 0.2)
const order = (found: { entity_id: string }[]) => found.map(({ entity_id }) => entity_id)

test('what has words and meaning comes before what has one of them', () => {
  const found = fuse([lexical('words', 10), lexical('both', 9)], [near('both', 0.9, 9), near('meaning', 0.8)])

  expect(order(found)).toEqual(['both', 'words', 'meaning'])
})

test('the more meaning counts, the higher what is near comes', () => {
  const [words, meanings] = [
    [lexical('words', 10), lexical('near', 4)],
    [near('near', 0.9, 4), near('far', 0.1)],
  ]

  expect(order(fuseBy(words, meanings, 0.1))[0]).toBe('words')
  expect(order(fuseBy(words, meanings, 0.6))[0]).toBe('near')
})

test('a model whose similarities all lie close together counts no more and no less', () => {
  const words = [lexical('a', 10), lexical('b', 5)]
  const wide = fuse(words, [near('c', 0.9), near('b', 0.5, 5), near('d', 0.1)])
  const narrow = fuse(words, [near('c', 0.809), near('b', 0.805, 5), near('d', 0.801)])

  expect(order(narrow)).toEqual(order(wide))
})

test('one ranking alone keeps its order', () => {
  const ids = fc.uniqueArray(fc.string({ minLength: 1, maxLength: 6 }), { minLength: 1, maxLength: 20 })
  fc.assert(
    fc.property(ids, (names) => {
      const words = names.map((name, at) => lexical(name, 100 - at))
      const meanings = names.map((name, at) => near(name, 0.9 - at / 100))

      expect(order(fuse(words, []))).toEqual(names)
      expect(order(fuse([], meanings))).toEqual(names)
      expect(order(fuse(words, meanings))).toEqual(names)
    }),
  )
})

test('a far better match in words is never overtaken by meaning alone', () => {
  const scores = fc.double({ min: 0, max: 1, noNaN: true })
  fc.assert(
    fc.property(fc.array(scores, { minLength: 2, maxLength: 50 }), (similarities) => {
      const sorted = similarities.toSorted((a, b) => b - a)
      const found = fuse(
        [lexical('exact', 10)],
        sorted.map((similarity, at) => near(`n${at}`, similarity)),
      )

      expect(found[0]?.entity_id).toBe('exact')
      expect(found.every(({ score }) => score >= 0 && score <= 1)).toBe(true)
    }),
  )
})
