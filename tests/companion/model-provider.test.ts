import { afterAll, expect, test } from 'vitest'
import { createModelProvider } from '../../lib/companion/model-provider.ts'
import { createModelRouter } from '../../lib/companion/router/model-router.ts'
import { choose } from '../../lib/companion/router/router.ts'
import { httpError, startFakeAnthropic, text } from '../helpers/fake-anthropic.ts'

const now = () => new Date('2031-05-01T12:00:00Z')
const fake = await startFakeAnthropic([
  [text('{"choice":"resume","id":"boat"}')],
  httpError(404, 'not_found_error', 'There is no such model.'),
])
afterAll(() => fake.close())

const settings = {
  apiKey: 'sk-test',
  baseUrl: fake.url,
  model: 'big-model',
  maxTokens: 8192,
  smallModel: 'small-model',
}
const thread = { id: 'lease', title: 'Lease', summary: '', last_activity_at: '2031-05-01T11:00:00Z' }
const known = {
  message: 'How many planks?',
  active: { ...thread, last_question: null, last_answer: null },
  others: [{ ...thread, id: 'boat', title: 'Boat' }],
  now: now(),
}

test('the small model is asked over the Messages API, by its own name and for a short answer', async () => {
  const small = createModelProvider(settings, { now }).small()!

  const decision = await choose(createModelRouter(small), known, { limitMs: 20_000 })

  expect(decision).toMatchObject({ choice: { choice: 'resume', id: 'boat' }, model: 'small-model' })
  expect(fake.requests[0]?.body).toMatchObject({ model: 'small-model', max_tokens: 300 })
  expect(fake.refused).toHaveLength(0)
})

test('a provider that does not have the small model means to go on', async () => {
  const small = createModelProvider(settings, { now }).small()!

  const decision = await choose(createModelRouter(small), known, { limitMs: 20_000 })

  expect(decision).toMatchObject({ choice: { choice: 'continue' }, decided_by: 'fallback', reason: 'failed' })
})

test('there is no small model without a key, or where none is wanted', () => {
  const offline = createModelProvider({ ...settings, apiKey: null, baseUrl: null }, { now })
  const unwanted = createModelProvider({ ...settings, smallModel: null }, { now })

  expect([offline.small(), offline.current().mode]).toEqual([null, 'offline'])
  expect([unwanted.small(), unwanted.current().name]).toEqual([null, 'big-model'])
})
