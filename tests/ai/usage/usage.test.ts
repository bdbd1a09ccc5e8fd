// What models used, through the whole server: answers, and the calls beside them.

import { beforeEach, describe, expect, test } from 'vitest'
import type { CallModel } from '../../../lib/ai/model.ts'
import type { UsageReport } from '../../../lib/contract/companion/usage.ts'
import type { Usage } from '../../../lib/contract/events/events.ts'
import { dayIn, machineZone } from '../../../lib/core/schedule/zoned.ts'
import { buildApp } from '../../helpers/build-app.ts'
import { listen } from '../../helpers/listen.ts'
import { type ScriptedStep, scriptedModel } from '../../helpers/scripted-model.ts'
import { ofType, takeTurn } from '../../helpers/turn-client.ts'
import { makeAgent } from '../../helpers/world.ts'

const localDay = (time: Date) => dayIn(time, machineZone())

let answer: CallModel
const small: CallModel = async (request) =>
  scriptedModel([
    {
      text: request.system.startsWith('You name')
        ? '{"title":"Oil","summary":"Oil"}'
        : '{"choice":"continue"}',
      usage: { input_tokens: 100, output_tokens: 7 },
    },
  ])(request)

const void_ = await buildApp({
  callModel: (request) => answer(request),
  smallModel: small,
  modelPrices: new Map([['scripted', { input: 2, output: 10, cacheRead: 0.2, cacheWrite: 2.5 }]]),
})
const { owner, deps } = void_
const url = await listen(void_.app)

const usage: Usage = {
  input_tokens: 1000,
  output_tokens: 200,
  cache_read_input_tokens: 5000,
  cache_creation_input_tokens: 300,
}
const answerCost = (1000 * 2 + 200 * 10 + 5000 * 0.2 + 300 * 2.5) / 1e6

let space_id: string
beforeEach(async () => {
  const { body } = await owner.post('/api/spaces').send({ name: 'Oil store' })
  space_id = body.id
})

async function say(
  text: string,
  steps: ScriptedStep[] = [{ text: 'Forty litres.', usage }],
  named: { conversation_id?: string } = {},
) {
  answer = scriptedModel(steps)
  const frames = await takeTurn({ url, space_id, body: { text, ...named } })
  const { turn_id, conversation_id } = ofType(frames, 'turn')[0]!.data
  return { frames, turn_id, conversation_id }
}

async function report(query: Record<string, string> = {}): Promise<UsageReport> {
  const { status, body } = await owner.get(`/api/usage?${new URLSearchParams({ space_id, ...query })}`)
  expect([status, body.error]).toEqual([200, undefined])
  return body
}

/** The calls beside the answers go on after them. */
const untilCounted = (count: number, query: Record<string, string> = {}) =>
  expect.poll(async () => (await report(query)).total.count, { timeout: 15_000 }).toBe(count)

describe('an answer', () => {
  test('counts with its tokens, its cost and its time, and says so itself', async () => {
    const read = { name: 'list', input: {} }
    const { frames, turn_id } = await say('How much oil?', [
      { tools: [read], usage },
      { text: 'Forty litres.', usage },
    ])
    await untilCounted(2)

    const { items } = await report({ by: 'turn', turn_id })
    const done = ofType(frames, 'done')[0]!.data
    const { messages } = (await owner.get(`/api/spaces/${space_id}/companion`)).body

    expect(done.usage).toMatchObject({ input_tokens: 2000, cache_read_input_tokens: 10_000 })
    expect(done.duration_ms).toBeGreaterThanOrEqual(0)
    expect(messages.at(-1).metadata).toMatchObject({ usage: done.usage, duration_ms: done.duration_ms })
    expect(items).toMatchObject([
      {
        key: turn_id,
        label: 'How much oil?',
        count: 2,
        tokens: 2 * 6500 + 107,
        input_tokens: 2100,
        output_tokens: 407,
        cache_read_input_tokens: 10_000,
        cache_creation_input_tokens: 600,
        unpriced_tokens: 107,
      },
    ])
    expect(items[0]!.cost).toBeCloseTo(2 * answerCost, 10)
  })

  test('that was given up counts by its finished steps', async () => {
    const { turn_id } = await say('Anything?', [{ text: 'No.', usage }])
    await deps.database.query('update turns set usage = null where id = $1', [turn_id])

    expect((await report({ model: 'scripted' })).total.tokens).toBe(6500)
  })
})

describe('what goes on beside the answers', () => {
  test('counts too: naming, routing with the turn that it was for, and the test of the model', async () => {
    await say('How much oil?')
    await owner.post(`/api/spaces/${space_id}/conversations`)
    await say('Who winds the clock?')
    await untilCounted(4)
    // Two conversations: where it goes is not obvious.
    const routed = await say('Which brush is used for the brass rail of the gallery upstairs?')
    await untilCounted(7)
    answer = scriptedModel([{ text: 'OK', usage }])
    await owner.post('/api/model/test')

    const purposes = (await report({ by: 'purpose' })).items.map(({ key, count }) => [key, count])
    const { items } = await report({ by: 'purpose', turn_id: routed.turn_id })
    const everywhere = await owner.get('/api/usage?by=purpose')

    expect(Object.fromEntries(purposes)).toEqual({ answer: 3, naming: 3, routing: 1 })
    expect(items.map(({ key }) => key).toSorted()).toEqual(['answer', 'naming', 'routing'])
    expect(everywhere.body.items).toContainEqual(expect.objectContaining({ key: 'test', count: 1 }))
  })
})

describe('sums', () => {
  test('by model, agent, conversation and day come to the same', async () => {
    const { conversation_id } = await say('How much oil?')
    await say('And how much brass?', undefined, { conversation_id })
    await untilCounted(4)
    const total = 2 * 6500 + 2 * 107

    const [models, agents, conversations, days] = await Promise.all([
      report({ by: 'model' }),
      report({ by: 'agent' }),
      report({ by: 'conversation' }),
      report(),
    ])

    expect(models.items).toMatchObject([
      { key: 'scripted', tokens: 13_000, unpriced_tokens: 0 },
      { key: 'small', tokens: 214, cost: null, unpriced_tokens: 214 },
    ])
    expect(agents.items).toMatchObject([{ key: 'companion', label: 'Companion', tokens: total }])
    expect(conversations.items).toMatchObject([
      { key: conversation_id, label: 'Oil', conversation_id, space_id, tokens: total },
    ])
    expect(days.items).toHaveLength(30)
    expect(days.items.at(-1)).toMatchObject({ key: localDay(new Date()), tokens: total })
    expect(days.items.slice(0, -1).every(({ tokens, cost }) => tokens === 0 && cost === null)).toBe(true)
    expect(days.total.cost).toBeCloseTo(2 * answerCost, 10)
    expect(days.budget).toMatchObject({ daily_tokens: null, set_by: 'configuration' })
    expect(days.budget.time_zone).toBe(Intl.DateTimeFormat().resolvedOptions().timeZone)
  })

  test('are cut by filters and by days, and by pages', async () => {
    await say('How much oil?')
    await untilCounted(2)
    const today = localDay(new Date())

    expect((await report({ model: 'small' })).total.tokens).toBe(107)
    expect((await report({ agent: 'nobody' })).total.tokens).toBe(0)
    expect((await report({ from: today, to: today })).items).toHaveLength(1)
    expect((await report({ from: '2020-01-01', to: '2020-01-02' })).total.tokens).toBe(0)
    const first = await report({ by: 'model', limit: '1' })
    const second = await report({ by: 'model', limit: '1', cursor: first.next_cursor! })
    expect([...first.items, ...second.items].map(({ key }) => key)).toEqual(['scripted', 'small'])
    expect(second.next_cursor).toBeNull()
    for (const query of ['from=2026-02-01&to=2026-01-01', 'from=2020-01-01&to=2026-01-01', 'by=weather']) {
      expect((await owner.get(`/api/usage?${query}`)).status).toBe(400)
    }
  })

  test('a day is the server’s: what was used before its midnight is not today’s', async () => {
    const { turn_id } = await say('How much oil?')
    await untilCounted(2)
    await deps.database.query(`update turns set created_at = $2, finished_at = $3 where id = $1`, [
      turn_id,
      new Date(new Date().setHours(0, 0, 0, -2)),
      new Date(new Date().setHours(0, 0, 0, -1)),
    ])

    const { items } = await report()

    expect(items.slice(-2).map(({ tokens }) => tokens)).toEqual([6500, 107])
  })
})

test('an agent is told nothing of it', async () => {
  const { token } = await makeAgent(void_, { slug: 'clerk' })

  expect((await void_.as(token).get('/api/usage')).status).toBe(403)
  expect((await void_.as(token).patch('/api/usage/budget').send({ daily_tokens: 0 })).status).toBe(403)
})
