import { describe, expect, test } from 'vitest'
import { readCommand, readReply } from '../../../lib/companion/research/rules/read-message.ts'
import {
  BudgetReached,
  checkBudget,
  reservationFor,
  spentBy,
} from '../../../lib/companion/research/run/budget.ts'
import { planByRules } from '../../../lib/companion/research/stages/analyze.ts'
import { markdownLine } from '../../../lib/core/text/cited/cited-markdown.ts'

describe('a message', () => {
  test.each([
    ['/research What is due?', { depth: 'standard', question: 'What is due?' }],
    ['  /RESEARCH deep\n What is due?', { depth: 'deep', question: 'What is due?' }],
    ['/research deeply held views', { depth: 'standard', question: 'deeply held views' }],
    ['/research', null],
    ['/research quick', { depth: 'standard', question: 'quick' }],
    ['/researching is hard', null],
    ['What about /research?', null],
  ])('%j begins research or does not', (text, expected) => {
    expect(readCommand(text)).toEqual(expected)
  })

  test.each([
    ['Go on.', 'go_on'],
    ['yes!', 'go_on'],
    ['1', 'go_on'],
    ['Cancel', 'cancel'],
    ['3', 'cancel'],
    ['Yes, but leave out the rent', 'change'],
    ['go on holiday with the plan', 'change'],
    ['', 'change'],
  ])('%j to a run that waits is read by exact words', (text, kind) => {
    expect(readReply(text)).toEqual({ kind })
  })
})

test('a plan by rules has what was asked, and never nothing', () => {
  expect(planByRules('When is the lease due, and who pays?').sub_questions).toEqual([
    'When is the lease due',
    'who pays',
  ])
  expect(planByRules('???').sub_questions).toEqual(['???'])
  expect(planByRules('why? '.repeat(10_000)).sub_questions).toEqual(['why'])
})

test('a line of others’ words is Markdown without effect', () => {
  const line = markdownLine('# A ![x](http://a/b.png) [click](http://evil) <b>*now*</b>\n[[Page|Label]] |')

  expect(line).not.toMatch(/http|(?<!\\)[[\]<>*|]/)
  expect(line).toContain('click')
  expect(line).toContain('Label')
})

describe('a budget', () => {
  const run = { budget_usd: 1, budget_tokens: 10_000 }

  test('allows what fits it and the share of the stage, and nothing more', () => {
    const check = (tokens: number, usd: number | null) => () =>
      checkBudget(run, [], { stage: 'synthesize', reservation: { tokens, usd } })

    expect(check(8000, 0.8)).not.toThrow()
    expect(check(8001, 0.1)).toThrow(BudgetReached)
    expect(check(100, 0.81)).toThrow(BudgetReached)
    expect(check(8000, null)).not.toThrow()
  })

  test('counts what goes in at its worst and the longest answer', () => {
    const price = { input: 1_000_000, output: 2_000_000, cacheRead: 0, cacheWrite: 0 }
    const { tokens, usd } = reservationFor(['lamp lamp'], 50, price)

    expect(tokens).toBe(100 + 6 + 50)
    expect(usd).toBe(106 + 100)
    expect(reservationFor([], 50, null).usd).toBe(null)
  })

  test('nothing costs nothing', () => {
    expect(spentBy([])).toEqual({ tokens: 0, usd: null })
  })
})
