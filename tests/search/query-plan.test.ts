import { expect, test } from 'vitest'
import { planQuery } from '../../lib/search/query-plan.ts'
import type { TermCounts } from '../../lib/search/term-counts.ts'

/** What is asked last for these words in a Space of 100,000 passages, each word with how many hold it. */
function widest(words: Record<string, number>): string {
  const counts: TermCounts = {
    chunks: 100_000,
    length: 0,
    byLexeme: new Map(Object.entries(words)),
    sync: async () => {},
    forget() {},
  }
  const lexemes = Object.keys(words).map((lexeme, at) => ({ place: 1, lexeme, positions: [at + 1] }))
  const plan = planQuery({ lexemes, words: Object.keys(words), unfinished: null }, [counts])!
  return plan.stages.others.at(-1)!.tsquery
}

test('of a long question the rarest words count, and words that are known nowhere displace none', () => {
  const known = Object.fromEntries(Array.from({ length: 400 }, (_, n) => [`known${n}`, 10 + n]))
  const unknown = Object.fromEntries(Array.from({ length: 400 }, (_, n) => [`zzz${n}`, 0]))

  const all = widest({ ...unknown, ...known })

  expect(all.match(/known\d+/g)).toEqual(Array.from({ length: 200 }, (_, n) => `known${n}`))
  expect(all.match(/zzz\d+/g)).toHaveLength(24)
})
