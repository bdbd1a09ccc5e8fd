import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import fc from 'fast-check'
import { afterAll, describe, expect, test } from 'vitest'
import { readCollection } from './collection.ts'
import { judge, meanQuality } from './metrics.ts'
import { withTypo } from './typo.ts'

const folder = mkdtempSync(join(tmpdir(), 'void-eval-'))
afterAll(() => rmSync(folder, { recursive: true }))

function file(name: string, lines: readonly unknown[]): string {
  const path = join(folder, name)
  writeFileSync(
    path,
    lines.map((line) => (typeof line === 'string' ? line : JSON.stringify(line))).join('\n'),
  )
  return path
}

describe('judging a ranking', () => {
  test('the only answer in third place', () => {
    const quality = judge(['a', 'b', 'c'], new Map([['c', 1]]))

    expect(quality).toEqual({ ndcg10: 0.5, recall10: 1, recall100: 1, mrr: 1 / 3 })
  })

  test('a better answer counts more where it stands higher', () => {
    const relevant = new Map([
      ['best', 3],
      ['good', 1],
    ])

    expect(judge(['best', 'good'], relevant).ndcg10).toBe(1)
    expect(judge(['good', 'best'], relevant).ndcg10).toBeCloseTo(
      (1 + 3 / Math.log2(3)) / (3 + 1 / Math.log2(3)),
    )
  })

  test('what stands below the tenth place counts for recall at 100 alone', () => {
    const ranking = Array.from({ length: 40 }, (_, n) => `d${n}`)

    expect(judge(ranking, new Map([['d20', 1]]))).toEqual({
      ndcg10: 0,
      recall10: 0,
      recall100: 1,
      mrr: 1 / 21,
    })
  })

  test('every measure lies between 0 and 1, and moving an answer up never costs', () => {
    const ids = fc.uniqueArray(fc.integer({ min: 0, max: 30 }).map(String), { minLength: 2, maxLength: 20 })
    fc.assert(
      fc.property(ids, fc.integer({ min: 1, max: 4 }), fc.nat(), (ranking, rel, at) => {
        const place = 1 + (at % (ranking.length - 1))
        const relevant = new Map([[ranking[place]!, rel]])
        const before = judge(ranking, relevant)
        const moved = ranking.with(place, ranking[place - 1]!).with(place - 1, ranking[place]!)
        const after = judge(moved, relevant)

        for (const measure of ['ndcg10', 'recall10', 'recall100', 'mrr'] as const) {
          expect(before[measure]).toBeGreaterThanOrEqual(0)
          expect(after[measure]).toBeLessThanOrEqual(1)
          expect(after[measure]).toBeGreaterThanOrEqual(before[measure])
        }
      }),
    )
  })

  test('the mean of two', () => {
    const one = judge(['a'], new Map([['a', 1]]))
    const none = judge(['a'], new Map([['b', 1]]))

    expect(meanQuality([one, none])).toEqual({ ndcg10: 0.5, recall10: 0.5, recall100: 0.5, mrr: 0.5 })
  })
})

describe('reading a collection', () => {
  const docs = [{ id: 1, title: '', text: 'Open the brass valve.' }]
  const queries = [
    { id: 'q1', text: 'Which valve?' },
    { id: 'q2', text: 'Nothing answers this.' },
  ]
  const qrels = [
    { qid: 'q1', did: '1', rel: 2 },
    { qid: 'q2', did: '1', rel: 0 },
  ]

  test('one file holds all three, a folder each in a file; unanswered questions are left out', () => {
    const one = readCollection([file('all.jsonl', [...docs, ...queries, ...qrels])])
    file('docs.jsonl', docs)
    file('queries.jsonl', queries)
    file('qrels.jsonl', qrels)

    expect(readCollection([folder])).toEqual(one)
    expect(one.documents.map(({ id }) => id)).toEqual(['1'])
    expect(one.questions.map(({ id }) => id)).toEqual(['q1'])
    expect(one.relevant.get('q1')?.get('1')).toBe(2)
  })

  test.each([
    ['no JSON', '{'],
    ['no object', '[]'],
    ['a judgement without a number', { qid: 'q', did: 'd', rel: 'yes' }],
    ['a document without a text', { id: 'd', title: '' }],
  ])('names the line with %s', (name, line) => {
    expect(() => readCollection([file(`${name}.jsonl`, [...docs, line])])).toThrow(/\.jsonl:2/)
  })
})

test('a slip changes one word, and only by a letter', () => {
  for (let turn = 0; turn < 40; turn += 1) {
    const slipped = withTypo('Which pressure does it need?', turn)

    expect(slipped).not.toBe('Which pressure does it need?')
    expect(slipped.replace(/\S*p\S*/, '')).toBe('Which  does it need?')
  }
})
