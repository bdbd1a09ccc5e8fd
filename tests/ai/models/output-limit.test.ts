// The longest answer that a model is asked for: the setting, the model's own, or a usual one.

import { expect, test } from 'vitest'
import { createModelProvider, type ModelSettings } from '../../../lib/ai/models/model-provider.ts'
import { listen } from '../../helpers/listen.ts'

async function limitOf(listed: object | null, settings: Partial<ModelSettings> = {}): Promise<unknown> {
  const limits: unknown[] = []
  const url = await listen(async (request, response) => {
    if (request.method === 'GET') {
      if (!listed) return void response.writeHead(404).end()
      const data = [
        { id: 'other', max_tokens: 1 },
        { id: 'lamp', ...listed },
      ]
      return void response
        .writeHead(200, { 'content-type': 'application/json' })
        .end(JSON.stringify({ data }))
    }
    const chunks: Buffer[] = []
    for await (const chunk of request) chunks.push(chunk)
    limits.push(JSON.parse(Buffer.concat(chunks).toString()).max_tokens)
    response
      .writeHead(200, { 'content-type': 'application/json' })
      .end(JSON.stringify({ content: [{ type: 'text', text: 'Oil.' }], stop_reason: 'end_turn' }))
  })
  const chosen = { apiKey: 'k', baseUrl: url, model: 'lamp', maxTokens: null, smallModel: null, ...settings }
  const { callModel } = createModelProvider(() => chosen, { now: () => new Date() }).current()
  await callModel({ system: '', messages: [{ role: 'user', content: 'Oil?' }], tools: [] })
  return limits[0]
}

test('is the model’s own, as its provider lists it', async () => {
  expect(await limitOf({ max_tokens: 64_000 })).toBe(64_000)
})

test('is 16,384 tokens where nobody says, and a quarter of a small context', async () => {
  expect(await limitOf({})).toBe(16_384)
  expect(await limitOf(null)).toBe(16_384)
  expect(await limitOf({ max_model_len: 8192 })).toBe(2048)
})

test('is the setting where there is one', async () => {
  expect(await limitOf({ max_tokens: 64_000 }, { maxTokens: 500 })).toBe(500)
})
