// The daily budget: it stops before a call of a model, and never within a step.

import { beforeEach, describe, expect, test } from 'vitest'
import type { CallModel, ModelRequest } from '../../../lib/ai/model.ts'
import type { Budget } from '../../../lib/contract/companion/usage.ts'
import { buildApp } from '../../helpers/build-app.ts'
import { listen } from '../../helpers/listen.ts'
import { type ScriptedStep, scriptedModel } from '../../helpers/scripted-model.ts'
import { answerOf, ofType, takeTurn } from '../../helpers/turn-client.ts'
import { makeWorld } from '../../helpers/world.ts'

let answer: CallModel
const sideCalls: ModelRequest[] = []
const small: CallModel = async (request) => {
  sideCalls.push(request)
  return scriptedModel([{ text: '{"title":"Oil","summary":"Oil"}', usage: { input_tokens: 1 } }])(request)
}
const void_ = await buildApp({ callModel: (request) => answer(request), smallModel: small })
const { owner, deps } = void_
const world = await makeWorld(void_)
const urls = {
  online: await listen(void_.app),
  offline: await listen((await buildApp({ database: deps.database, dailyTokens: 1 })).app),
}
const usage = { input_tokens: 900, output_tokens: 100 }

const setBudget = async (daily_tokens: number | null): Promise<Budget> =>
  (await owner.patch('/api/usage/budget').send({ daily_tokens })).body

type Where = { server?: keyof typeof urls; space_id?: string }

async function say(text: string, steps: ScriptedStep[], { server = 'online', ...where }: Where = {}) {
  const model = scriptedModel(steps)
  answer = model
  const space_id = where.space_id ?? world.space.id
  const frames = await takeTurn({ url: urls[server], space_id, body: { text } })
  return { frames, requests: model.requests, done: ofType(frames, 'done')[0]?.data, said: answerOf(frames) }
}

beforeEach(async () => {
  await deps.database.query('truncate side_calls')
  await deps.database.query(`update turns set usage = '{}', finished_at = coalesce(finished_at, now())`)
  await setBudget(null)
  sideCalls.length = 0
})

describe('a turn', () => {
  test('calls no model once the budget is used up, and says so and where to change it', async () => {
    await say('One', [{ text: 'Answered.', usage }])
    const budget = await setBudget(1000)

    const { requests, done, said } = await say('Two', [])

    expect(budget).toMatchObject({ daily_tokens: 1000, set_by: 'owner' })
    expect(budget.used_tokens).toBeGreaterThanOrEqual(1000)
    expect(requests).toEqual([])
    expect(done).toMatchObject({ stop_reason: 'budget' })
    expect(said).toContain('today’s budget is used up')
    expect(said).toContain('Settings, under Usage')
    const after = await say('Three', [])
    expect(after.done?.stop_reason).toBe('budget')
    await setBudget(0)
    expect((await say('Four', [{ text: 'Gladly.' }])).said).toBe('Gladly.')
  })

  test('that reaches it finishes its step, keeps its text and its draft, and ends there', async () => {
    await setBudget(1000)
    const draft = {
      entity_type: 'task',
      action: 'update',
      entity_id: world.paint.id,
      payload: { status: 'done' },
      reason: 'Painted.',
    }

    const { requests, done, said, frames } = await say('The rail is painted', [
      { text: 'I draft that.', tools: [{ name: 'propose_change', input: draft }], usage },
      { text: 'Never said.' },
    ])

    expect(requests).toHaveLength(1)
    expect(ofType(frames, 'draft')).toHaveLength(1)
    expect(done).toMatchObject({ stop_reason: 'budget', usage, draft_ids: [expect.any(String)] })
    expect(said).toMatch(
      /^I draft that\.\n\nI stopped here, because today’s budget is used up \(1,\d{3} of 1,000 tokens\)/,
    )
    const { messages } = (await owner.get(`/api/spaces/${world.space.id}/companion`)).body
    expect(messages.at(-1).body).toBe(said)
  })

  test('that stays below it is not disturbed', async () => {
    await setBudget(1_000_000)

    expect((await say('One', [{ text: 'Answered.', usage }])).done?.stop_reason).toBe('end_turn')
  })

  test('of the offline companion goes on whatever the budget', async () => {
    await say('One', [{ text: 'Answered.', usage }])

    const { done, said } = await say('What does the lamp burn?', [], { server: 'offline' })

    expect(done?.stop_reason).toBe('end_turn')
    expect(said).toContain('rapeseed')
  })
})

test('many turns at once go over it by what is under way, and no further', async () => {
  await setBudget(1500)
  const spaces = await Promise.all(
    Array.from(
      { length: 6 },
      async (_, n) => (await owner.post('/api/spaces').send({ name: `Room ${n}` })).body.id,
    ),
  )
  let calls = 0
  answer = async (request) => {
    calls += 1
    return await scriptedModel([{ tools: [{ name: 'list', input: {} }], usage }])(request)
  }

  const turns = await Promise.all(
    spaces.map((space_id) => takeTurn({ url: urls.online, space_id, body: { text: 'Go on and on' } })),
  )

  expect(turns.map((frames) => ofType(frames, 'done')[0]?.data.stop_reason)).toEqual(
    spaces.map(() => 'budget'),
  )
  // Each may have one call under way when the second of them all fills the budget.
  expect(calls).toBeGreaterThanOrEqual(2)
  expect(calls).toBeLessThanOrEqual(2 + spaces.length)
})

test('routing and naming are left to rules and first words, and nothing fails', async () => {
  const space_id = (await owner.post('/api/spaces').send({ name: 'Log room' })).body.id
  await say('How much oil is in the tank?', [{ text: 'Forty litres.', usage }], { space_id })
  await owner.post(`/api/spaces/${space_id}/conversations`)
  await say('Who winds the clock?', [{ text: 'The keeper.', usage }], { space_id })
  // Conversations of the tests before may still be named meanwhile.
  const own = () => sideCalls.filter((call) => /tank|clock|brush/.test(JSON.stringify(call.messages)))
  await expect.poll(() => own().length, { timeout: 15_000 }).toBe(2)
  await setBudget(1)

  const { frames, done } = await say('Which brush is for the brass rail upstairs?', [], { space_id })

  expect(done?.stop_reason).toBe('budget')
  expect(ofType(frames, 'turn')[0]!.data.routing?.by).toBe('rules')
  expect(own()).toHaveLength(2)
})

test('what the configuration says holds until the owner says otherwise', async () => {
  const { owner } = await buildApp({ database: deps.database, dailyTokens: 700 })
  const budget = async (): Promise<Budget> => (await owner.get('/api/usage')).body.budget

  expect(await budget()).toMatchObject({ daily_tokens: 700, set_by: 'configuration' })
  await setBudget(0)
  expect(await budget()).toMatchObject({ daily_tokens: null, set_by: 'owner' })
  await setBudget(null)
  expect(await budget()).toMatchObject({ daily_tokens: 700, set_by: 'configuration' })
  for (const daily_tokens of [-1, 1.5, '5', undefined]) {
    expect((await owner.patch('/api/usage/budget').send({ daily_tokens })).status).toBe(400)
  }
})
