// How much the model is told to think: as its companion is set, or as one message says.

import { expect, test } from 'vitest'
import { forAnotherModel } from '../../lib/companion/turn/resumption.ts'
import { buildApp } from '../helpers/build-app.ts'
import { listen } from '../helpers/listen.ts'
import { scriptedModel } from '../helpers/scripted-model.ts'
import { takeTurn } from '../helpers/turn-client.ts'
import { makeWorld } from '../helpers/world.ts'

const void_ = await buildApp()
const { app, owner } = void_
const world = await makeWorld(void_)
const url = await listen(app)

test('a companion’s level holds for its messages, and a message may have another', async () => {
  const model = scriptedModel(Array(4).fill({ text: 'Aye.' }))
  app.locals.callModel = model
  const say = (more: object = {}) =>
    takeTurn({ url, space_id: world.space.id, body: { text: 'Oil?', ...more } })
  const { body: agents } = await owner.get('/api/agents')
  const { id } = agents.items.find(({ slug }: { slug: string }) => slug === 'companion')

  await say()
  await owner.patch(`/api/agents/${id}`).send({ thinking: 'high' }).expect(200)
  await say()
  await say({ thinking: 'off' })
  await say()

  expect(model.requests.map(({ thinking }) => thinking)).toEqual(['auto', 'high', 'off', 'high'])
  await owner.patch(`/api/agents/${id}`).send({ thinking: 'most' }).expect(400)
  await owner
    .post(`/api/spaces/${world.space.id}/companion/turn`)
    .send({ text: 'x', thinking: 'most' })
    .expect(400)
})

test('a turn that another model resumes goes on without the thinking of the first', () => {
  const thought = { type: 'thinking', thinking: 'Hm.', signature: 'c2ln' }
  const call = { type: 'tool_use', id: 'toolu_1', name: 'search', input: {} }
  const resumption = {
    ...{ stepCount: 1, steps: [], ended: null },
    progress: { text: '', tools: [], citations: [], draftIds: [], status: null },
    messages: [{ role: 'assistant' as const, content: [thought, call] }],
    earlier: {
      ...{ modelCalls: 1, stopReason: 'tool_use', continuing: false, bytes: 0 },
      usage: {
        ...{ input_tokens: 0, output_tokens: 0 },
        ...{ cache_creation_input_tokens: 0, cache_read_input_tokens: 0 },
      },
    },
  }

  expect(forAnotherModel(resumption)?.messages).toEqual([{ role: 'assistant', content: [call] }])
  expect(forAnotherModel(null)).toBeNull()
})
