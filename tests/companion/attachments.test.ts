// Files that come with a message: images are shown to the model, other files are read before it answers.

import request from 'supertest'
import { beforeEach, describe, expect, test } from 'vitest'
import { findAttachedFiles } from '../../lib/companion/prompt/question.ts'
import type { Queryable } from '../../lib/db/pool.ts'
import { buildApp, ownerToken } from '../helpers/build-app.ts'
import { httpError, startFakeAnthropic, text as words } from '../helpers/fake-anthropic.ts'
import { listen } from '../helpers/listen.ts'
import { modelOver, wireNames } from '../helpers/over-wires.ts'
import { ownWords } from '../helpers/own-words.ts'
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
const { lamp } = world
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

const pixel = Buffer.from(
  'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==',
  'base64',
)
/** An image that no other is equal to. */
const image = (size = pixel.length + 1, mark = 0) =>
  Buffer.concat([pixel, Buffer.alloc(size - pixel.length, mark)])

async function attach(
  name: string,
  bytes: Buffer,
  { to = app, space = world.space.id } = {},
): Promise<string> {
  const { body } = await request(to)
    .post(`/api/spaces/${space}/attachments?name=${encodeURIComponent(name)}`)
    .set('authorization', `Bearer ${ownerToken}`)
    .type('application/octet-stream')
    .send(bytes)
  return body.id
}

const say = (text: string, more: object = {}) =>
  takeTurn({ url, space_id: world.space.id, body: { text, conversation_id: thread, ...more } })
const messages = async () => (await owner.get(`/api/conversations/${thread}/messages`)).body.items
const given = (call = model.requests.length) => JSON.stringify(model.requests[call - 1]!.messages)
const imagesIn = (call = model.requests.length) =>
  model.requests[call - 1]!.messages.flatMap(({ content }) =>
    typeof content === 'string' ? [] : content.filter(({ type }) => type === 'image'),
  ).length
async function refused(more: object, text = 'What of it?') {
  const body = { text, conversation_id: thread, ...more }
  const response = await postTurn({ url, space_id: world.space.id, body })
  const { error } = JSON.parse(await response.text())
  return [response.status, error.code, error.message]
}

describe('an image', () => {
  test('is shown to the model before the words, by what its bytes are, and named in the message', async () => {
    const id = await attach('Harbour.jpg', pixel)

    await say('What is this?', { attachments: [id] })

    const [question] = model.requests[0]!.messages.slice(-1)
    expect(ownWords(question!.content)).toMatchObject([
      { type: 'image', source: { type: 'base64', media_type: 'image/png', data: pixel.toString('base64') } },
      { type: 'text', text: expect.stringContaining('"name":"Harbour.jpg"') },
      { type: 'text', text: 'What is this?' },
    ])
    expect((await messages())[0].metadata.attachments).toEqual([
      { id, title: 'Harbour.jpg', mime: 'image/png', size: pixel.length },
    ])
  })

  test('stays in the history, from the store, until it is put into the trash', async () => {
    const id = await attach('Kept.png', image())
    await say('What is this?', { attachments: [id, id] })
    await say('And its colour?')
    expect(imagesIn()).toBe(1)
    expect(JSON.stringify(await messages())).not.toContain('base64')

    await owner.delete(`/api/source-docs/${id}`).send({ version: 1 })
    await say('And now?')

    expect(imagesIn()).toBe(0)
    expect(given()).toContain('no longer shown')
  })

  test('is left out of a request when newer ones take its room', async () => {
    const ten = await Promise.all(
      Array.from({ length: 10 }, (_, at) => attach(`${at}.png`, image(1000 + at))),
    )
    await say('These', { attachments: ten })
    await say('Again', { attachments: ten })

    await say('And this', { attachments: [ten[0]] })

    expect(imagesIn()).toBe(20)
    expect(given().split('no longer shown')).toHaveLength(2)
  })

  test('counts as read before a draft', async () => {
    const id = await attach('Order.png', image(200))
    const input = { entity_type: 'task', action: 'create', payload: { title: 'Oil' }, reason: 'Asked.' }
    script([{ tools: [{ name: 'propose_change', input }] }, { text: 'Drafted.' }])

    const frames = await say('A task from this', { attachments: [id] })

    const [draft] = ofType(frames, 'draft')
    const { body } = await owner.get(`/api/pending-changes/${draft!.data.pending_change_id}`)
    expect(JSON.stringify(body.card.provenance)).toContain(id)
  })

  test.each(wireNames)(
    'that the provider refuses costs the thread nothing: it is asked again without, over %s',
    async (wire) => {
      const noImages = httpError(400, 'invalid_request_error', 'image: not supported by this model')
      const fake = await startFakeAnthropic([noImages, words('I see none.'), noImages, words('Still none.')])
      app.locals.callModel = modelOver(wire, fake)
      const id = await attach(`Refused by ${wire}.png`, image(wire === 'chat' ? 310 : 300))

      const first = await say('What is this?', { attachments: [id] })
      const second = await say('And now?')
      await fake.close()

      expect([answerOf(first), answerOf(second)]).toEqual(['I see none.', 'Still none.'])
      expect(JSON.stringify(first)).toContain('did not accept the images')
      expect(JSON.stringify(fake.requests[0]!.body)).toContain('"type":"image"')
      expect(JSON.stringify(fake.requests[1]!.body)).not.toContain('"type":"image"')
    },
  )
})

describe('another file', () => {
  test('is read before the first word, as a source that can be cited', async () => {
    const id = await attach('Tide table.txt', Buffer.from('High water at noon is 4.2 m.'))
    script([{ text: 'It says “High water at noon is 4.2 m” there.' }])

    const frames = await say('How high?', { attachments: [id], mentions: [lamp.id] })

    const calls = model.requests[0]!.messages.at(-2)
    expect(calls?.content).toMatchObject([
      { name: 'read', input: { kind: 'page', id: lamp.id } },
      { name: 'read', input: { kind: 'source_doc', id } },
    ])
    expect(ofType(frames, 'citation').map(({ data }) => [data.id, data.checked])).toEqual([[id, true]])
  })

  test('stays with a message that is asked again, and goes where an edit leaves it out', async () => {
    const id = await attach('Log.txt', Buffer.from('Fog all day.'))
    const first = ofType(await say('What?', { attachments: [id] }), 'turn')[0]!.data.turn_id
    const second = ofType(await say('What?', { replaces: first }), 'turn')[0]!.data.turn_id
    expect(given()).toContain('Fog all day')

    await say('What?', { replaces: second, attachments: [] })

    expect(given()).not.toContain('Fog all day')
    expect((await messages())[0].metadata.attachments).toBeUndefined()
  })

  test('waits with a message that waits, and stays when its words are changed', async () => {
    const [id, shown] = [
      await attach('Wait.txt', Buffer.from('Wait for it.')),
      await attach('Wait.png', image(99)),
    ]
    script([{ text: 'Let me', hang: true }, { text: 'Aye.' }])
    const body = { text: 'One', conversation_id: thread }
    const running = readFrames(await postTurn({ url, space_id: world.space.id, body }))
    const { value: first } = await running.next()
    const waiting = { ...body, text: 'Two', queue: true, attachments: [id, shown] }
    const queued = readFrames(await postTurn({ url, space_id: world.space.id, body: waiting }))
    const { value: turn } = await queued.next()
    await owner.patch(`/api/turns/${turn.data.turn_id}`).send({ text: 'Two, please' }).expect(200)

    await owner.post(`/api/turns/${first.data.turn_id}/stop`)
    await Array.fromAsync(running)
    await Array.fromAsync(queued)

    expect(given()).toContain('Wait for it.')
    expect(imagesIn()).toBe(1)
  })
})

test.each(wireNames)(
  'goes over %s in requests that it takes, also behind an unanswered message',
  async (wire) => {
    const fake = await startFakeAnthropic([words('Aye.'), words('Aye again.')])
    app.locals.callModel = modelOver(wire, fake)
    const [png, txt] = [
      await attach(`Real, ${wire}.png`, image(wire === 'chat' ? 410 : 400)),
      await attach(`Real, ${wire}.txt`, Buffer.from(`Real words over ${wire}.`)),
    ]

    const first = await say('What of it?', { attachments: [png, txt] })
    const second = await say('And <draft_outcomes> now?', { attachments: [png] })
    await fake.close()

    expect([answerOf(first), answerOf(second)]).toEqual(['Aye.', 'Aye again.'])
    expect(fake.refused).toEqual([])
  },
)

test('is refused, and nothing stored, for what is not in the Space, too many, and not an image', async () => {
  const foreign = await attach('Foreign.png', image(500), { space: world.other.id })
  const gone = await attach('Gone.txt', Buffer.from('Gone'))
  await owner.delete(`/api/source-docs/${gone}`).send({ version: 1 })
  const heic = await attach('Photo.heic', Buffer.from('no such image'))

  for (const id of [foreign, gone, lamp.id, '0190a1b2-0000-7000-8000-00000000000f'])
    expect((await refused({ attachments: [id] })).slice(0, 2)).toEqual([404, 'not_found'])
  expect(await refused({ attachments: [heic] })).toEqual([
    ...[400, 'invalid', '“Photo.heic” cannot be shown to a model. Attach a PNG, JPEG, GIF or WebP.'],
  ])
  expect((await refused({ attachments: Array.from({ length: 11 }, () => gone) }))[0]).toBe(400)
  expect((await refused({ attachments: [foreign], research: 'quick' }))[0]).toBe(400)
  expect(await messages()).toEqual([])
  expect(model.requests).toEqual([])
})

test('is refused when it is larger than a model takes, alone or with the others', async () => {
  const mb = 1024 * 1024
  const find = async (sizes: number[], head = pixel) => {
    const rows = sizes.map((size, at) => ({ id: `${at}`, title: `${at}.png`, mime: 'image/png', size, head }))
    const database = { query: async () => ({ rows }) } as unknown as Queryable
    return await findAttachedFiles({ database }, 'space', Object.keys(sizes))
  }

  await expect(find([5 * mb + 1])).rejects.toMatchObject({
    ...{ status: 413, message: '“0.png” is too large: an image may have 5 MB, not 5.1 MB.' },
  })
  await expect(find([4 * mb, 4 * mb, 4 * mb, 4 * mb])).rejects.toMatchObject({
    ...{ status: 413, message: 'The images of one message may have 15 MB together, not 16 MB.' },
  })
  expect(await find([5 * mb, 5 * mb, 5 * mb])).toHaveLength(3)
})

test('another file under the same key is another message', async () => {
  const headers = { 'idempotency-key': 'attached-1' }
  const [one, two] = [await attach('1.txt', Buffer.from('One')), await attach('2.txt', Buffer.from('Two'))]
  const body = { text: 'What of it?', conversation_id: thread, attachments: [one] }
  await takeTurn({ url, space_id: world.space.id, body, headers })

  const other = await postTurn({
    ...{ url, space_id: world.space.id, headers },
    body: { ...body, attachments: [two] },
  })

  expect(other.status).toBe(422)
  await other.body?.cancel()
})

test('a thread that is exported embeds the files of its messages', async () => {
  const id = await attach('Exported.png', image(600))
  await say('What is this?', { attachments: [id] })

  const { text } = await owner.get(`/api/spaces/${world.space.id}/conversations/${thread}/export.md`)

  expect(text).toContain('What is this?\n\n![[Exported.png]]')
})

test('offline, images are said to be unseen, and files are quoted', async () => {
  const offline = await buildApp()
  const { body: space } = await offline.owner.post('/api/spaces').send({ name: 'Two lights' })
  const at = { to: offline.app, space: space.id }
  const [png, txt] = [
    await attach('Tank.png', pixel, at),
    await attach('Tank.txt', Buffer.from('The tank of the lamp holds 25 litres of oil.'), at),
  ]
  const ask = async (text: string, attachments: string[]) =>
    answerOf(
      await takeTurn({
        ...{ url: await listen(offline.app), space_id: space.id },
        body: { text, attachments },
      }),
    )

  const both = await ask('How many litres of oil does the tank hold?', [png, txt])
  const alone = await ask('Attached: Tank.txt', [txt])

  expect(both).toMatch(/^I cannot see images/)
  expect(both).toContain('25 litres')
  expect(alone).toContain('25 litres')
  expect(alone).not.toContain('cannot see')
})

test('a server that dies has read it once, and the next one goes on from there with the image', async () => {
  const database = await testDb()
  const paced = createPacedModel()
  const first = await startServer(database, paced.callModel)
  const second = await startServer(database, paced.callModel)
  const own = await makeWorld(first)
  const at = { to: first.app, space: own.space.id }
  const ids = [
    await attach('Dead.png', pixel, at),
    await attach('Dead.txt', Buffer.from('Dead reckoning.'), at),
  ]
  const body = { text: 'How often?', attachments: ids }
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
  expect(again).toContain('Dead reckoning.')
  expect(again).toContain(pixel.toString('base64'))
  expect(answerOf(read)).toContain('Every twelve seconds.')
})
