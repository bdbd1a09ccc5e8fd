import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import type { FoundChunk } from '../../lib/db/repos/chunk_rankings.ts'
import { conversationsLast, type Picked, pickPassages } from '../../lib/search/pick-passages.ts'

const chunk = (entity_id: string, ordinal: number, entity_type = 'page'): FoundChunk => ({
  ...{ space_id: 's', entity_type, entity_id, ordinal, title: '', heading_path: [], text: '' },
  ...{ start_line: 1, end_line: 1, score: 1 },
})
const names = (picked: ReturnType<typeof pickPassages>) =>
  picked.map(({ chunk: { entity_id, ordinal }, others }) =>
    [`${entity_id}${ordinal}`, ...others.map((other) => other.ordinal)].join('+'),
  )

describe('results', () => {
  const found = [
    chunk('a', 3),
    chunk('b', 0),
    chunk('a', 1),
    chunk('a', 3),
    chunk('a', 7),
    chunk('c', 0),
    chunk('a', 9),
  ]
  const wanted = { limit: 2, per_entity: 3, said: 1 }

  test('are passages, each once', () => {
    const passages = { ...wanted, by_entity: false }

    expect(names(pickPassages(found, passages))).toEqual(['a3', 'b0'])
    expect(names(pickPassages(found, { ...passages, limit: 9 }))).toEqual(['a3', 'b0', 'a1', 'a7', 'c0'])
  })

  test('or entities, with the next best passages of each behind the best', () => {
    expect(names(pickPassages(found, { ...wanted, by_entity: true }))).toEqual(['a3+1+7', 'b0'])
  })

  test('of one text are one, unless those that repeat it are asked for', () => {
    const text = 'The rent of the boat house is due again on Monday.'
    const alike = [chunk('a', 0), chunk('b', 0)].map((each) => ({ ...each, text }))
    const passages = { ...wanted, by_entity: false }

    expect(names(pickPassages(alike, passages))).toEqual(['a0'])
    expect(names(pickPassages(alike, { ...passages, repeated: 'keep' }))).toEqual(['a0', 'b0'])
  })
})

test('pages of results begin with what is written, and hold everything once', () => {
  const mixed = fc.array(fc.boolean(), { maxLength: 60 })
  fc.assert(
    fc.property(mixed, fc.integer({ min: 1, max: 20 }), (said, size) => {
      const all: Picked[] = said.map((isSaid, n) => ({
        chunk: chunk(`e${n}`, 0, isSaid ? 'conversation' : 'page'),
        others: [],
        same: [],
      }))

      const arranged = conversationsLast(all, size)

      expect(new Set(arranged)).toEqual(new Set(all))
      expect(arranged).toHaveLength(all.length)
      const pages = all.filter(({ chunk: { entity_type } }) => entity_type === 'page')
      expect(arranged.filter((each) => pages.includes(each))).toEqual(pages)
      for (let from = 0; from + size <= pages.length; from += size) {
        const page = arranged.slice(from, from + size)
        const first = page.findIndex((each) => !pages.includes(each))
        expect(first === -1 || first >= size - Math.floor(size / 4)).toBe(true)
      }
    }),
  )
})

test('files of data come behind what can be read, and before conversations', () => {
  const file = (title: string) => ({ ...chunk(title, 0, 'source_doc'), title })
  const found = [file('Ratings.base'), chunk('said', 0, 'conversation'), file('Scan.pdf'), chunk('page', 0)]
  const picked = found.map((each): Picked => ({ chunk: each, others: [], same: [] }))

  expect(conversationsLast(picked, 4).map(({ chunk: { entity_id } }) => entity_id)).toEqual([
    'Scan.pdf',
    'page',
    'Ratings.base',
    'said',
  ])
})
