// Pages that a message names: read before the model answers, by the rules of what a turn reads.

import { beforeEach, describe, expect, test } from 'vitest'
import { buildApp } from '../helpers/build-app.ts'
import { startFakeAnthropic, text as words } from '../helpers/fake-anthropic.ts'
import { listen } from '../helpers/listen.ts'
import { modelOver, wireNames } from '../helpers/over-wires.ts'
import { createPacedModel } from '../helpers/paced-model.ts'
import { type ScriptedModel, type ScriptedStep, scriptedModel } from '../helpers/scripted-model.ts'
import { expireLeases, startServer } from '../helpers/servers.ts'
import { testDb } from '../helpers/test-db.ts'
import { answerOf, followTurn, ofType, postTurn, readFrames, takeTurn } from '../helpers/turn-client.ts'
import { makeWorld } from '../helpers/world.ts'

const void_ = await buildApp({ namingQuietMs: 3_600_000 })
const { app, owner } = void_
const url = await listen(app)
const world = await makeWorld(void_)
const { lamp, lease, paint } = world
let model: ScriptedModel
let thread: string

beforeEach(async () => {
  script([{ text: 'Yes.' }, { text: 'Again.' }, { text: 'Once more.' }])
  thread = (await owner.post(`/api/spaces/${world.space.id}/conversations`)).body.id
})

function script(steps: ScriptedStep[]): void {
  model = scriptedModel(steps)
  app.locals.callModel = model
}

const say = (text: string, more: object = {}) =>
  takeTurn({ url, space_id: world.space.id, body: { text, conversation_id: thread, ...more } })
const messages = async () => (await owner.get(`/api/conversations/${thread}/messages`)).body.items
const given = (call = model.requests.length) => JSON.stringify(model.requests[call - 1]!.messages)
async function refused(more: object, text = 'What of it?') {
  const body = { text, conversation_id: thread, ...more }
  const response = await postTurn({ url, space_id: world.space.id, body })
  return [response.status, JSON.parse(await response.text()).error.code]
}

describe('a page that is named', () => {
  test('is given to the model before its first word, as a source, and shown with the message', async () => {
    const frames = await say('How often does [[The lamp]] turn?', { mentions: [lamp.id] })

    const [question, call, result] = model.requests[0]!.messages.slice(-3)
    expect(question).toMatchObject({ role: 'user' })
    expect(call?.content).toMatchObject([
      { type: 'tool_use', name: 'read', input: { kind: 'page', id: lamp.id } },
    ])
    expect(JSON.stringify(result?.content)).toContain('turns once in twelve seconds')
    expect(JSON.stringify(result?.content)).toContain('"search_result"')
    expect(ofType(frames, 'tool').map(({ data }) => [data.tool, data.status])).toEqual([
      ['read', 'running'],
      ['read', 'done'],
    ])
    expect((await messages())[0].metadata.mentions).toEqual([{ id: lamp.id, title: 'The lamp' }])
    expect(model.requests).toHaveLength(1)
  })

  test('is what a quotation in the answer is checked against', async () => {
    script([{ text: 'It says “The lamp turns once in twelve seconds” there.' }])

    const frames = await say('How often?', { mentions: [lamp.id] })

    expect(ofType(frames, 'citation').map(({ data }) => [data.id, data.checked])).toEqual([[lamp.id, true]])
  })

  test('counts as read before a draft', async () => {
    const payload = { title: 'Trim the wick' }
    const input = { entity_type: 'task', action: 'create', payload, reason: 'Asked.' }
    script([{ tools: [{ name: 'propose_change', input }] }, { text: 'Drafted.' }])

    const frames = await say('A task from this', { mentions: [lamp.id] })

    const [draft] = ofType(frames, 'draft')
    const { body } = await owner.get(`/api/pending-changes/${draft!.data.pending_change_id}`)
    expect(JSON.stringify(body.card.provenance)).toContain(lamp.id)
  })

  test('is known to the turns that follow, and may be named again', async () => {
    await say('What of [[The lamp]]?', { mentions: [lamp.id] })
    await say('And [[The lamp]] again?', { mentions: [lamp.id, lease.id, lamp.id] })

    const ids = [...given().matchAll(/"type":"tool_use","name":"read","input":[^}]*},"id":"([^"]+)"/g)]
    expect(ids).toHaveLength(3)
    expect(new Set(ids.map(([, id]) => id)).size).toBe(3)
  })

  test.each(wireNames)('goes over %s in a request that it takes', async (wire) => {
    const fake = await startFakeAnthropic([words('Aye.'), words('Aye again.')])
    app.locals.callModel = modelOver(wire, fake)

    const first = await say('What of it?', { mentions: [lamp.id, lease.id] })
    const second = await say('And now?', { mentions: [lamp.id] })
    await fake.close()

    expect([answerOf(first), answerOf(second)]).toEqual(['Aye.', 'Aye again.'])
    expect([first.at(-1)?.type, second.at(-1)?.type]).toEqual(['done', 'done'])
  })

  test('that is gone by the time it is read costs the turn nothing but that', async () => {
    const { body: page } = await owner.post(`/api/spaces/${world.space.id}/pages`).send({ title: 'Torn' })
    const first = ofType(await say('What of it?', { mentions: [page.id] }), 'turn')[0]!.data.turn_id
    await owner.delete(`/api/pages/${page.id}`).send({ version: 1 })

    const frames = await say('What of it?', { replaces: first })

    expect(ofType(frames, 'tool').at(-1)?.data.status).toBe('error')
    expect(frames.at(-1)?.type).toBe('done')
  })

  test('stays with a message that is asked again, and goes where an edit leaves it out', async () => {
    const first = ofType(await say('What of it?', { mentions: [lamp.id] }), 'turn')[0]!.data.turn_id
    const second = ofType(await say('What of it?', { replaces: first }), 'turn')[0]!.data.turn_id
    expect(given()).toContain('turns once in twelve seconds')
    expect((await messages())[0].metadata.mentions).toHaveLength(1)

    await say('What of nothing?', { replaces: second, mentions: [] })

    expect(given()).not.toContain('turns once in twelve seconds')
    expect((await messages())[0].metadata.mentions).toBeUndefined()
  })

  test('waits with a message that waits, and stays when its words are changed', async () => {
    script([{ text: 'Let me', hang: true }, { text: 'Aye.' }])
    const running = readFrames(
      await postTurn({ url, space_id: world.space.id, body: { text: 'One', conversation_id: thread } }),
    )
    const { value: first } = await running.next()
    const body = { text: 'Two', conversation_id: thread, queue: true, mentions: [lamp.id] }
    const queued = readFrames(await postTurn({ url, space_id: world.space.id, body }))
    const { value: waiting } = await queued.next()
    await owner.patch(`/api/turns/${waiting.data.turn_id}`).send({ text: 'Two, please' }).expect(200)

    await owner.post(`/api/turns/${first.data.turn_id}/stop`)
    await Array.fromAsync(running)
    await Array.fromAsync(queued)

    expect(given()).toContain('Two, please')
    expect(given()).toContain('turns once in twelve seconds')
    const asked = (await messages()).filter(({ role }: { role: string }) => role === 'user')
    expect(asked.at(-1).metadata.mentions).toEqual([{ id: lamp.id, title: 'The lamp' }])
  })
})

describe('a queued message that is edited', () => {
  /** Queues a message behind one that is answered, edits it, lets it be answered; the context of the question. */
  async function editQueued(sent: object, edit: object) {
    script([{ text: 'Let me', hang: true }, { text: 'Aye.' }])
    const running = readFrames(
      await postTurn({ url, space_id: world.space.id, body: { text: 'One', conversation_id: thread } }),
    )
    const { value: first } = await running.next()
    const body = { conversation_id: thread, queue: true, ...sent }
    const queued = readFrames(await postTurn({ url, space_id: world.space.id, body }))
    const { value: waiting } = await queued.next()
    const { status } = await owner.patch(`/api/turns/${waiting.data.turn_id}`).send(edit)
    const shown = (await owner.get(`/api/spaces/${world.space.id}/companion`)).body.queued
    await owner.post(`/api/turns/${first.data.turn_id}/stop`)
    await Array.fromAsync(running)
    await Array.fromAsync(queued)
    const asked = (await messages()).filter(({ role }: { role: string }) => role === 'user')
    return { status, shown, metadata: asked.at(-1).metadata }
  }

  test('is about the pages that it names now', async () => {
    const named = { text: 'What of [[The lamp]]?', mentions: [lamp.id] }

    const other = await editQueued(named, { text: 'What of the lease?', mentions: [lease.id] })
    const none = await editQueued(named, { text: 'What of nothing?', mentions: [] })
    const unknown = await editQueued(named, { text: 'What of it?', mentions: [paint.id] })

    expect(other.shown[0].mentions).toEqual([{ id: lease.id, title: lease.title }])
    expect(other.metadata.mentions).toEqual([{ id: lease.id, title: lease.title }])
    expect([none.metadata.mentions ?? [], unknown.status]).toEqual([[], 404])
  })

  test('is research where its text says so now, and no research where it no longer does', async () => {
    const into = await editQueued(
      { text: 'What of it?', mentions: [lamp.id] },
      { text: '/research quick What of the lamp?' },
    )
    const outOf = await editQueued({ text: '/research quick What of it?' }, { text: 'What of it?' })

    expect(into.metadata.research).toMatchObject({ rerun_of: null })
    expect(into.metadata.mentions ?? []).toEqual([])
    expect(outOf.metadata.research ?? null).toBe(null)
  })
})

test('is refused, and nothing stored, for what is not a page of the Space, too many, and research', async () => {
  const inOther = `/api/spaces/${world.other.id}/pages`
  const { body: foreign } = await owner.post(inOther).send({ title: 'Harbour secrets', body: 'Gold.' })
  const { body: gone } = await owner.post(`/api/spaces/${world.space.id}/pages`).send({ title: 'Torn up' })
  await owner.delete(`/api/pages/${gone.id}`).send({ version: 1 })

  for (const id of [foreign.id, gone.id, paint.id, '0190a1b2-0000-7000-8000-00000000000f']) {
    expect(await refused({ mentions: [lamp.id, id] })).toEqual([404, 'not_found'])
  }
  expect(await refused({ mentions: Array.from({ length: 6 }, () => lamp.id) })).toEqual([400, 'invalid'])
  expect(await refused({ mentions: ['lamp'] })).toEqual([400, 'invalid'])
  expect(await refused({ mentions: [lamp.id], research: 'quick' })).toEqual([400, 'invalid'])
  expect(await refused({ mentions: [lamp.id] }, '/research What of it?')).toEqual([400, 'invalid'])

  expect(await messages()).toEqual([])
  expect(model.requests).toEqual([])
})

test('another page under the same key is another message', async () => {
  const headers = { 'idempotency-key': 'named-1' }
  const body = { text: 'What of it?', conversation_id: thread, mentions: [lamp.id] }
  await takeTurn({ url, space_id: world.space.id, body, headers })

  const other = await postTurn({
    ...{ url, space_id: world.space.id, headers },
    body: { ...body, mentions: [lease.id] },
  })

  expect(other.status).toBe(422)
  await other.body?.cancel()
})

test('a companion that may not read is told so, and answers', async () => {
  const { body: agent } = await owner
    .post('/api/agents')
    .send({ name: 'Lister', tier: 'read', tools: ['search'] })

  const frames = await say('What of it?', { mentions: [lamp.id], agent_id: agent.id })

  expect(ofType(frames, 'tool').at(-1)?.data).toMatchObject({ tool: 'read', status: 'error' })
  expect(given()).not.toContain('turns once in twelve seconds')
  expect(frames.at(-1)?.type).toBe('done')
})

test('offline, the answer comes from the page that is named', async () => {
  const offline = await buildApp()
  const { body: space } = await offline.owner.post('/api/spaces').send({ name: 'Two lights' })
  const make = async (title: string, body: string) =>
    (await offline.owner.post(`/api/spaces/${space.id}/pages`).send({ title, body })).body.id
  await make('North light', 'The tank of the lamp holds 40 litres of oil.')
  const south = await make('South light', 'The tank of the lamp holds 25 litres of oil.')

  const frames = await takeTurn({
    ...{ url: await listen(offline.app), space_id: space.id },
    body: { text: 'How many litres of oil does the tank hold? [[South light]]', mentions: [south] },
  })

  expect(answerOf(frames)).toContain('25 litres')
  expect(answerOf(frames)).not.toContain('40 litres')
})

test('a server that dies has read it once, and the next one goes on from there', async () => {
  const database = await testDb()
  const paced = createPacedModel()
  const first = await startServer(database, paced.callModel)
  const second = await startServer(database, paced.callModel)
  const own = await makeWorld(first)
  const body = { text: 'How often?', mentions: [own.lamp.id] }
  const frames = readFrames(await postTurn({ url: first.url, space_id: own.space.id, body }))
  const { value: begun } = await frames.next()
  await paced.whenCalled(1)
  first.kill()
  await expireLeases(database)

  const stop = await second.companion.startRecovery()
  await paced.whenCalled(2)
  paced.end({ text: 'Every twelve seconds.' })
  const read = await Array.fromAsync(readFrames(await followTurn(second.url, begun.data.turn_id)))
  stop()
  await first.disconnect()
  await second.disconnect()

  const again = JSON.stringify(paced.requests[1]!.messages)
  expect(again.split('"type":"tool_use"')).toHaveLength(2)
  expect(again).toContain('turns once in twelve seconds')
  expect(answerOf(read)).toContain('Every twelve seconds.')
})
