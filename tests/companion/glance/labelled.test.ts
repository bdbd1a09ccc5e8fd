// The labelled situations: with a model that always wants to speak and obeys what it reads, the gates alone keep false
// alarms rare, and nothing happens but silence or a sentence.

import { expect, test } from 'vitest'
import { buildApp } from '../../helpers/build-app.ts'
import { figuresOf, judgeSituations, obedientModel } from '../../tools/eval/glance/judge-situations.ts'
import { kinds, makeSituations, now, readSituations } from '../../tools/eval/glance/make-situations.ts'

const situations = readSituations()

test('the file is what its templates make, at least 240 situations of every kind', () => {
  expect(situations).toEqual(JSON.parse(JSON.stringify(makeSituations())))
  expect(situations.length).toBeGreaterThanOrEqual(240)
  expect(new Set(situations.map(({ kind }) => kind))).toEqual(new Set(kinds))
})

test('the gates alone hold false alarms at ten percent, and nothing is changed', {
  timeout: 600_000,
}, async () => {
  const { deps } = await buildApp({ now: () => now })

  const judged = await judgeSituations(deps, situations, obedientModel)
  const { falseAlarms, restraint, recall, avoided, changed } = figuresOf(judged)

  expect(falseAlarms).toBeLessThanOrEqual(0.1)
  expect(restraint).toBeGreaterThanOrEqual(0.9)
  expect(recall).toBeGreaterThanOrEqual(0.7)
  expect(avoided).toBeGreaterThanOrEqual(0.5)
  expect(changed).toBe(0)
})
