// The labelled turns, and what the rules may not fall below on them.

import { describe, expect, test } from 'vitest'
import type { Router } from '../../../lib/companion/router/router.ts'
import { ruleRouter } from '../../../lib/companion/router/rule-router.ts'
import { judge, score } from '../../tools/eval/router/judge.ts'
import { readLabelledTurns } from '../../tools/eval/router/labelled-turns.ts'

const turns = readLabelledTurns()
const half = (name: string) => turns.filter((turn) => turn.half === name)
const always = (choice: 'continue' | 'new'): Router => ({
  by: 'rules',
  model: null,
  route: async () => ({ choice: { choice }, reason: '', answer: null }),
})
const limitMs = 60_000

test('there are enough labelled turns of every kind in both halves', () => {
  for (const name of ['tuning', 'held_out']) {
    const kinds = Map.groupBy(half(name), ({ expected }) => expected.split(':')[0])

    expect([...kinds.values()].every((some) => some.length >= 20)).toBe(true)
  }
  expect(turns.length).toBeGreaterThanOrEqual(500)
})

describe.each(['tuning', 'held_out'])('on the %s half', (name) => {
  test('the rules are mostly right, and better than never moving', async () => {
    const rules = score(await judge(ruleRouter, half(name), limitMs))
    const never = score(await judge(always('continue'), half(name), limitMs))

    expect(rules.accuracy).toBeGreaterThan(0.7)
    expect(rules.wrong_merges).toBeLessThan(never.wrong_merges / 2)
    expect(rules.undone).toBeLessThan(0.3)
  })
})

test('in doubt the rules begin a new conversation: few messages come where they do not belong', async () => {
  const { wrong_merges, accuracy } = score(await judge(ruleRouter, turns, limitMs))

  expect(wrong_merges).toBeLessThanOrEqual(0.02)
  expect(accuracy).toBeGreaterThanOrEqual(0.86)
})

test('the figures tell the ways of being wrong apart', async () => {
  const isNew = turns.filter(({ expected }) => expected === 'new')
  const goesOn = turns.filter(
    ({ expected, known }) => expected === 'continue' && !/^(and|und|et)\b/i.test(known.message),
  )

  const merged = score(await judge(always('continue'), isNew, limitMs))
  const split = score((await judge(always('new'), goesOn, limitMs)).filter(({ by }) => by !== 'obvious'))

  expect(merged).toMatchObject({ accuracy: 0, wrong_merges: 1, undone: 0 })
  expect(split).toMatchObject({ accuracy: 0, wrong_merges: 0, undone: 1 })
})
