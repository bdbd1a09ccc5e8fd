import { expect, test } from 'vitest'
import { planQuery } from '../../lib/search/query-plan.ts'
import type { TermCounts } from '../../lib/search/term-counts.ts'

/** What narrows a question of these words down, in a Space of 100,000 passages; each word with how many hold it. */
function narrow(words: Record<string, number>): string {
  const counts: TermCounts = {
    chunks: 100_000,
    length: 0,
    byLexeme: new Map(Object.entries(words)),
    sync: async () => {},
    forget() {},
  }
  const lexemes = Object.keys(words).map((lexeme, at) => ({ place: 1, lexeme, positions: [at + 1] }))
  return planQuery({ lexemes, unfinished: null }, [counts])!.narrow
}

test('any of the rarest words, two at least', () => {
  expect(narrow({ lamp: 3000, oil: 4000, the: 30_000 })).toBe("'lamp' | 'oil'")
  expect(narrow({ narwhal: 2, lamp: 3000, oil: 4000 })).toBe("'narwhal' | 'lamp' | 'oil'")
})

test('where all are common, several at once, as long as enough passages are to be expected', () => {
  expect(narrow({ sea: 40_000, ship: 50_000, tide: 30_000 })).toBe("('tide' & 'sea' & 'ship')")
  expect(narrow({ sea: 20_000, ship: 20_000, tide: 12_000 })).toBe("('tide')")
})

test('a rare word does not bring in all that hold a common one', () => {
  expect(narrow({ narwhal: 200, ship: 50_000, sea: 30_000 })).toBe("'narwhal' | ('sea' & 'ship')")
})

test('a word alone is looked for however common it is', () => {
  expect(narrow({ sea: 90_000 })).toBe("('sea')")
})
