import { expect, test } from 'vitest'
import { OutdatedPlan, retryOutdated } from '../../../lib/jobs/workers/text-threads.ts'

test('a plan that was overtaken is made again', async () => {
  let plans = 0

  const answer = await retryOutdated(async () => {
    plans++
    if (plans < 3) throw new OutdatedPlan()
    return plans
  })

  expect(answer).toBe(3)
})

test('a plan that is overtaken again and again is refused', async () => {
  let plans = 0
  const overtaken = retryOutdated(async () => {
    plans++
    throw new OutdatedPlan()
  })

  await expect(overtaken).rejects.toMatchObject({ status: 409, code: 'texts_changed' })
  expect(plans).toBe(10)
})

test('any other error is passed on at once', async () => {
  let plans = 0
  const failing = retryOutdated(async () => {
    plans++
    throw new Error('lost')
  })

  await expect(failing).rejects.toThrow('lost')
  expect(plans).toBe(1)
})
