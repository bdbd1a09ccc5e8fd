import { expect, test } from 'vitest'
import { ModelError } from '../../../lib/ai/model.ts'
import type { CurrentModel } from '../../../lib/ai/models/model-provider.ts'
import { testModel } from '../../../lib/ai/models/test-model.ts'
import { createOfflineModel } from '../../../lib/ai/offline/offline-model.ts'
import { scriptedModel } from '../../helpers/scripted-model.ts'

const now = () => new Date()
const online = (callModel: CurrentModel['callModel']) => ({
  current: () => ({ mode: 'online' as const, name: 'claude-test', callModel }),
})

test('a model that answers is in order', async () => {
  const model = scriptedModel([{ text: 'OK' }])

  expect(await testModel(online(model), { now })).toMatchObject({
    ok: true,
    code: 'ok',
    model: 'claude-test',
  })
  expect(model.requests).toHaveLength(1)
})

test('without a key it says so, and asks nobody', async () => {
  const offline: CurrentModel = { mode: 'offline', name: 'offline', callModel: createOfflineModel({ now }) }

  expect(await testModel({ current: () => offline }, { now })).toMatchObject({ ok: false, code: 'no_key' })
})

test('a key that cannot be read, and every error of the model, is told with what to do', async () => {
  const unreadable = new ModelError('key_unreadable', 'The secret file /run/key cannot be read.', {
    retryable: true,
  })
  const refused = new ModelError('model_unauthorized', 'The model provider rejected the API key.', {
    retryable: false,
  })

  expect(await testModel(online(scriptedModel([{ error: unreadable }])), { now })).toMatchObject({
    ok: false,
    code: 'key_unreadable',
  })
  expect(await testModel(online(scriptedModel([{ error: refused }])), { now })).toMatchObject({
    ok: false,
    code: 'model_unauthorized',
    message: 'The model provider rejected the API key.',
    advice: expect.stringContaining('Compare the API key'),
  })
})

test('a model that says nothing is given up after a while, with the last it was waiting for', async () => {
  const model = scriptedModel([{ status: ['The model is overloaded.'], hang: true }])

  const result = await testModel(online(model), { now, timeoutMs: 30 })

  expect(result).toMatchObject({ ok: false, code: 'model_silent' })
  expect(result.message).toContain('The model is overloaded.')
})
