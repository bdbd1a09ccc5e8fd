import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { planStages, type Term } from '../../lib/search/query-plan.ts'

const total = 100_000
const weightOf = (count: number) => Math.log(1 + (total - count + 0.5) / (count + 0.5))

/** For these words in a Space of 100,000 passages, each word with how many hold it. */
function stages(words: Record<string, number>) {
  const terms: Term[] = Object.entries(words)
    .map(([lexeme, count]) => ({ lexeme, count, weight: weightOf(count), alone: true }))
    .sort((a, b) => a.count - b.count)
  return planStages(terms, total)
}

/** Without those that look for the best alone. */
const others = (words: Record<string, number>) => stages(words).others.map(({ tsquery }) => tsquery)

describe('enough candidates', () => {
  test('hold any of the rarest words, two at least', () => {
    expect(others({ lamp: 3000, oil: 4000, the: 30_000 })[0]).toBe("'lamp' | 'oil'")
    expect(others({ narwhal: 2, lamp: 3000, oil: 4000 }).at(-1)).toBe("'narwhal' | 'lamp' | 'oil'")
  })

  test('where all are common, hold several at once, as long as enough are to be expected', () => {
    expect(others({ sea: 40_000, ship: 50_000, tide: 30_000 })[0]).toBe("('tide' & 'sea' & 'ship')")
    expect(others({ sea: 20_000, ship: 20_000, tide: 12_000 })[0]).toBe("'tide'")
  })

  test('are not all that hold a common word beside a rare one', () => {
    expect(others({ narwhal: 200, ship: 50_000, sea: 30_000 })[0]).toBe("'narwhal' | ('sea' & 'ship')")
  })

  test('are those of a word alone, however common it is', () => {
    expect(others({ sea: 90_000 })).toEqual(["'sea'"])
  })
})

describe('the first statement', () => {
  test('asks for the passages that hold the most, and says what any other scores at most', () => {
    const { first } = stages({ oil: 900, lamp: 3500, wick: 4000, ship: 50_000 })

    expect(first?.tsquery).toBe("('oil' & ('lamp' | 'wick')) | ('lamp' & ('wick' & 'ship'))")
    expect(first!.outside).toBeGreaterThan(1.6 * (weightOf(900) + weightOf(50_000)))
    expect(first!.candidates).toBeLessThan(300)
  })

  test('is left out where no more than a thousand passages are ranked without it, or it saves less than half', () => {
    expect(stages({ oil: 400, lamp: 500 }).first).toBeNull()
    expect(stages({ sea: 90_000, ship: 95_000 }).first).toBeNull()
  })
})

describe('beyond a score', () => {
  const words = { oil: 900, lamp: 3500, wick: 4000, ship: 50_000 }

  test('nothing is read where no passage can score more', () => {
    expect(stages(words).beyond(100)).toMatchObject({ tsquery: '' })
  })

  test('nothing is planned where more would be ranked than without it', () => {
    expect(stages(words).beyond(0.1)).toBeNull()
  })

  test('every passage is found whose terms can add more than that', () => {
    const counts = fc.array(fc.integer({ min: 1, max: 60_000 }), { minLength: 2, maxLength: 9 })
    fc.assert(
      fc.property(counts, fc.double({ min: 0.1, max: 1, noNaN: true }), (all, share) => {
        const asked = Object.fromEntries(all.map((count, at) => [`w${at}`, count]))
        const most = all.reduce((sum, count) => sum + weightOf(count) * 1.6, 0)
        const found = stages(asked).beyond(most * share)
        if (!found) return
        for (let bits = 0; bits < 2 ** all.length; bits += 1) {
          const held = new Set(Object.keys(asked).filter((_, at) => bits & (1 << at)))
          const score = [...held].reduce((sum, word) => sum + weightOf(asked[word]!) * 1.6, 0)
          if (score > most * share + 1e-9) expect(holds(found.tsquery, held)).toBe(true)
        }
      }),
    )
  })
})

/** Whether a passage that holds these words is found. */
function holds(tsquery: string, held: ReadonlySet<string>): boolean {
  const tokens = tsquery.match(/'[^']+'|[()&|]/g) ?? []
  let at = 0
  const any = (): boolean => {
    let found = all()
    while (tokens[at] === '|') {
      at += 1
      found = all() || found
    }
    return found
  }
  const all = (): boolean => {
    let found = one()
    while (tokens[at] === '&') {
      at += 1
      found = one() && found
    }
    return found
  }
  const one = (): boolean => {
    const token = tokens[at++]
    if (token !== '(') return held.has(token!.slice(1, -1))
    const found = any()
    at += 1
    return found
  }
  return tokens.length > 0 && any()
}
