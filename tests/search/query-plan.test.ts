import { expect, test } from 'vitest'
import { planQuery, type Stage } from '../../lib/search/query-plan.ts'
import type { TermCounts } from '../../lib/search/term-counts.ts'

/** What is asked for these words in a Space of 100,000 passages, each word with how many hold it. */
function stages(words: Record<string, number>): Stage[] {
  const counts: TermCounts = {
    chunks: 100_000,
    length: 0,
    byLexeme: new Map(Object.entries(words)),
    sync: async () => {},
    forget() {},
  }
  const lexemes = Object.keys(words).map((lexeme, at) => ({ place: 1, lexeme, positions: [at + 1] }))
  return planQuery({ lexemes, words: Object.keys(words), unfinished: null }, [counts])!.stages
}

/** The last before all that hold any word. */
const narrow = (words: Record<string, number>) => stages(words).at(-2)?.tsquery

test('any of the rarest words, two at least', () => {
  expect(narrow({ lamp: 3000, oil: 4000, the: 30_000 })).toBe("'lamp' | 'oil'")
  expect(stages({ narwhal: 2, lamp: 3000, oil: 4000 }).at(-1)).toEqual({
    tsquery: "'narwhal' | 'lamp' | 'oil'",
    outside: 0,
  })
})

test('where all are common, several at once, as long as enough passages are to be expected', () => {
  expect(narrow({ sea: 40_000, ship: 50_000, tide: 30_000 })).toBe("('tide' & 'sea' & 'ship')")
  expect(narrow({ sea: 20_000, ship: 20_000, tide: 12_000 })).toBe("'tide'")
})

test('a rare word does not bring in all that hold a common one', () => {
  expect(narrow({ narwhal: 200, ship: 50_000, sea: 30_000 })).toBe("'narwhal' | ('sea' & 'ship')")
})

test('a word alone is looked for however common it is', () => {
  expect(stages({ sea: 90_000 })).toEqual([{ tsquery: "'sea'", outside: 0 }])
})

test('few passages first, with what any other could score', () => {
  const asked = stages({ narwhal: 20, oil: 900, lamp: 3500, ship: 50_000 })
  expect(asked.map(({ tsquery }) => tsquery)).toEqual([
    "'narwhal' | ('oil' & 'lamp')",
    "'narwhal' | 'oil'",
    "'narwhal' | 'oil' | 'lamp'",
    "'narwhal' | 'oil' | 'lamp' | 'ship'",
  ])
  expect(asked[1]?.outside).toBeCloseTo(1.6 * (Math.log(1 + 96_500.5 / 3500.5) + Math.log(2)), 3)
  expect(asked.slice(2).map(({ outside }) => outside)).toEqual([0, 0])
})

test('of the words after the rarest two at once, with what a passage that holds one of them could score', () => {
  const [first] = stages({ oil: 500, lamp: 3500, wick: 4000, tank: 4500 })

  expect(first?.tsquery).toBe("'oil' | ('lamp' & 'wick') | ('lamp' & 'tank') | ('wick' & 'tank')")
  expect(first?.outside).toBeCloseTo(1.6 * Math.log(1 + 96_500.5 / 3500.5), 3)
})

test('a word that most passages hold is never paired', () => {
  const all = stages({ oil: 900, lamp: 3500, ship: 50_000, sea: 60_000 }).map(({ tsquery }) => tsquery)

  expect(all.slice(0, -1).every((tsquery) => !/'(?:ship|sea)'/.test(tsquery))).toBe(true)
})

test('no statement that cannot be expected to be the last', () => {
  const all = { tsquery: "'oil' | 'lamp'", outside: 0 }
  expect(stages({ oil: 600, lamp: 800 })).toEqual([all])
  expect(stages({ oil: 900, lamp: 800 })).toEqual([{ ...all, tsquery: "'lamp' | 'oil'" }])
})

test('of a long question the rarest words count, and words that are known nowhere displace none', () => {
  const known = Object.fromEntries(Array.from({ length: 400 }, (_, n) => [`known${n}`, 10 + n]))
  const unknown = Object.fromEntries(Array.from({ length: 400 }, (_, n) => [`zzz${n}`, 0]))

  const all = stages({ ...unknown, ...known }).at(-1)!.tsquery

  expect(all.match(/known\d+/g)).toEqual(Array.from({ length: 200 }, (_, n) => `known${n}`))
  expect(all.match(/zzz\d+/g)).toHaveLength(24)
})
