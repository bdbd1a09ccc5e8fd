// Routing through the whole server: which conversation a message lands in, what the reader hears, what is recorded.

import { beforeEach, describe, expect, test } from 'vitest'
import { unknownAbilities } from '../../../lib/ai/adapt/abilities.ts'
import { adaptTo } from '../../../lib/ai/adapt/adapt-to.ts'
import { type CallModel, ModelError, type ModelRequest } from '../../../lib/ai/model.ts'
import { buildApp } from '../../helpers/build-app.ts'
import { listen } from '../../helpers/listen.ts'
import { scriptedModel } from '../../helpers/scripted-model.ts'
import { type Frame, postTurn, readFrames, takeTurn } from '../../helpers/turn-client.ts'

let route: CallModel
const asked: ModelRequest[] = []
const answer: CallModel = async (request) => scriptedModel([{ text: 'Aye.' }])(request)
const void_ = await buildApp({
  callModel: answer,
  smallModel: (request) => {
    if (!request.system.startsWith('You sort messages')) return answer(request)
    asked.push(request)
    return route(request)
  },
})
const { app, owner, deps } = void_
const url = await listen(app)

let space_id: string
beforeEach(async () => {
  const { body } = await owner.post('/api/spaces').send({ name: 'Log room' })
  space_id = body.id
  // The threads of the Space before are none that a message could belong to.
  await deps.database.query('update spaces set deleted_at = now() where id <> $1', [space_id])
  asked.length = 0
  route = () => Promise.reject(new Error('nobody was to be asked'))
})

const say = (text: string, more: Record<string, unknown> = {}, headers: Record<string, string> = {}) =>
  takeTurn({ url, space_id, body: { text, ...more }, headers })

const turnOf = (frames: readonly Frame[]) => {
  const [first] = frames
  if (first?.type !== 'turn') throw new Error('a stream begins with its turn')
  return first.data
}

/** Two conversations, both used: the boat's, then the lease's, which is the one in use. */
async function twoThreads(): Promise<{ boat: string; lease: string }> {
  const begin = async (text: string) => {
    const { body } = await owner.post(`/api/spaces/${space_id}/conversations`)
    await say(text, { conversation_id: body.id })
    return body.id
  }
  return { boat: await begin('Planks for the boat'), lease: await begin('When does the lease end?') }
}

const says = (choice: object): CallModel => scriptedModel(Array(20).fill({ text: JSON.stringify(choice) }))
const recorded = async () =>
  (await deps.database.query('select * from routing_decisions where space_id = $1 order by id', [space_id]))
    .rows
const conversationsIn = async () =>
  (await owner.get(`/api/spaces/${space_id}/conversations`)).body.items.map(({ id }: { id: string }) => id)

describe('a message that names no conversation', () => {
  test('begins the first one without a question, and is routed once something was said', async () => {
    route = says({ choice: 'new' })
    const first = turnOf(await say('Hello'))
    expect([first.routed, asked.length]).toEqual(['new', 0])

    const second = turnOf(await say('So, who has the keys?'))

    expect(second).toMatchObject({ routed: 'new', routing: { by: 'model', from: first.conversation_id } })
    expect(second.conversation_id).not.toBe(first.conversation_id)
  })

  test('answers the companion’s own question where that was asked, and nobody is asked', async () => {
    const { lease } = await twoThreads()
    app.locals.callModel = scriptedModel([
      { text: 'Whose keys do you mean, those of the boat or of the house?' },
    ])
    await say('Who has the keys?', { conversation_id: lease })
    app.locals.callModel = undefined

    expect(turnOf(await say('Those of the boat'))).toMatchObject({
      conversation_id: lease,
      routing: { by: 'obvious' },
    })
    expect(asked).toHaveLength(0)
  })

  test('is routed after the companion’s question when it asks or wants something itself', async () => {
    const { lease } = await twoThreads()
    route = says({ choice: 'new' })
    for (const text of [
      'Actually what is the weather in Zurich today?',
      'So, draft an NDA for Acme Corp with Bob',
    ]) {
      app.locals.callModel = scriptedModel([{ text: 'Shall I list the keys?' }])
      await say('Who has the keys?', { conversation_id: lease })
      app.locals.callModel = undefined

      expect(turnOf(await say(text, { active_conversation_id: lease })).routed).toBe('new')
    }
    expect(asked).toHaveLength(2)
  })

  test('is routed by what the owner sees too, by its stored names', async () => {
    await twoThreads()
    const page = (await owner.post(`/api/spaces/${space_id}/pages`).send({ title: 'Slip rates' })).body
    const other = (await owner.post('/api/spaces').send({ name: 'Elsewhere' })).body
    const hidden = (await owner.post(`/api/spaces/${other.id}/pages`).send({ title: 'Not this' })).body
    const tab = { side: 'left', shown: false }
    const tabs = [
      { ...tab, kind: 'page', id: page.id },
      { ...tab, kind: 'page', id: hidden.id },
      { ...tab, view: 'search', q: 'mooring' },
    ]
    route = says({ choice: 'new' })

    await say('Which of these is dearer?', {
      view: { entityType: 'page', entityId: page.id },
      desk: { active: 'left', tabs },
    })

    const given = JSON.parse(String(asked[0]!.messages[0]!.content))
    expect(given).toMatchObject({ view: 'Slip rates', tabs: ['Slip rates', 'search: mooring'] })
  })

  test('is routed by the image that came with it, if there is one', async () => {
    await twoThreads()
    const attach = async (name: string, bytes: Buffer) =>
      (
        await owner
          .post(`/api/spaces/${space_id}/attachments?name=${name}`)
          .type('application/octet-stream')
          .send(bytes)
      ).body.id
    const files = [
      await attach('list.txt', Buffer.from('Planks, tar')),
      await attach('plank.gif', Buffer.from('GIF89a-the-plank')),
      await attach('deck.gif', Buffer.from('GIF89a-the-deck')),
    ]
    route = says({ choice: 'continue' })

    await say('What is wrong with this one?', { attachments: files })

    const data = Buffer.from('GIF89a-the-plank').toString('base64')
    expect(asked[0]!.messages).toEqual([
      {
        role: 'user',
        content: [
          { type: 'image', source: { type: 'base64', media_type: 'image/gif', data } },
          { type: 'text', text: expect.stringContaining('"message":"What is wrong with this one?"') },
        ],
      },
    ])
  })

  test('is routed without its image by a model that does not take images', async () => {
    const { boat } = await twoThreads()
    const file = await owner
      .post(`/api/spaces/${space_id}/attachments?name=plank.gif`)
      .type('application/octet-stream')
      .send(Buffer.from('GIF89a-another-plank'))
    const answers = says({ choice: 'resume', id: boat })
    let tries = 0
    const blind: CallModel = async (request) => {
      tries += 1
      if (JSON.stringify(request.messages).includes('"image"'))
        throw new ModelError('model_bad_request', 'no images here', { retryable: false })
      return answers(request)
    }
    route = adaptTo(blind, { wire: 'chat', abilities: () => unknownAbilities, learn: async () => {} })

    const turn = turnOf(await say('Is this one rotten?', { attachments: [file.body.id] }))

    expect(turn).toMatchObject({ conversation_id: boat, routed: 'resumed', routing: { by: 'model' } })
    expect(tries).toBe(2)
  })

  test('is put where the model says, and the reader is told first', async () => {
    const { boat, lease } = await twoThreads()

    route = says({ choice: 'resume', id: boat })
    const resumed = turnOf(await say('How many of them do we need?'))
    route = says({ choice: 'new' })
    const fresh = turnOf(await say('Who has the keys?'))
    route = says({ choice: 'continue' })
    const went = turnOf(await say('Are there spares?', { active_conversation_id: lease }))

    expect(resumed).toMatchObject({
      conversation_id: boat,
      routed: 'resumed',
      routing: { by: 'model', title: 'Planks for the boat', from: lease },
    })
    expect(fresh).toMatchObject({ routed: 'new', routing: { by: 'model', title: '', from: boat } })
    expect([boat, lease]).not.toContain(fresh.conversation_id)
    expect(went).toMatchObject({ conversation_id: lease, routed: 'latest', routing: { by: 'model' } })
  })

  test('is routed on what the owner’s conversations say, but not archived ones and those of a Space in the trash', async () => {
    const { boat, lease } = await twoThreads()
    const { body: other } = await owner.post('/api/spaces').send({ name: 'Secret' })
    await takeTurn({ url, space_id: other.id, body: { text: 'Nobody may know of this' } })
    await owner.delete(`/api/spaces/${other.id}`).send({ version: other.version }).expect(200)
    const { body: archived } = await owner.post(`/api/spaces/${space_id}/conversations`)
    await say('Put away', { conversation_id: archived.id })
    await owner.patch(`/api/spaces/${space_id}/conversations/${archived.id}`).send({ archived: true })
    route = says({ choice: 'continue' })

    await say('How many planks?')

    const data = JSON.parse(String(asked[0]?.messages[0]?.content))
    expect(data).toMatchObject({
      message: 'How many planks?',
      active: {
        id: lease,
        title: 'When does the lease end?',
        last_question: 'When does the lease end?',
        last_answer: 'Aye.',
      },
      others: [{ id: boat, title: 'Planks for the boat' }],
    })
    expect(JSON.stringify(data)).not.toMatch(/Nobody may know|Put away/)
  })

  test('goes where the rules put it when the model names a conversation that it was not given', async () => {
    const { lease } = await twoThreads()
    const { body: other } = await owner.post('/api/spaces').send({ name: 'Secret' })
    const elsewhere = turnOf(await takeTurn({ url, space_id: other.id, body: { text: 'Hidden' } }))
    await owner.delete(`/api/spaces/${other.id}`).send({ version: other.version }).expect(200)
    route = says({ choice: 'resume', id: elsewhere.conversation_id })

    const turn = turnOf(await say('Where was that?'))

    expect(turn).toMatchObject({ conversation_id: lease, routed: 'latest', routing: { by: 'fallback' } })
  })

  test('goes where the rules put it when the router fails, and the answer comes all the same', async () => {
    const { boat, lease } = await twoThreads()
    route = () => Promise.reject(new Error('no network'))

    const on = turnOf(await say('And when does it begin?'))
    const back = turnOf(await say('Back to the planks of the boat'))
    const frames = await say('Draft an NDA for Acme')

    expect(on).toMatchObject({ conversation_id: lease, routing: { by: 'fallback' } })
    expect(back).toMatchObject({ conversation_id: boat, routed: 'resumed', routing: { by: 'fallback' } })
    expect(turnOf(frames)).toMatchObject({ routed: 'new', routing: { by: 'fallback' } })
    expect(frames.at(-1)?.type).toBe('done')
  })

  test('belongs to what the owner has just begun or opened by hand, and the next one is thought about again', async () => {
    const { boat } = await twoThreads()
    await owner.patch(`/api/spaces/${space_id}/conversations/${boat}`).send({ in_use: true })

    const chosen = turnOf(await say('Who has the keys?'))
    const { body: begun } = await owner.post(`/api/spaces/${space_id}/conversations`)
    const first = turnOf(await say('Who is on watch?'))
    route = says({ choice: 'continue' })
    await say('Who has the spare keys?')

    expect(chosen).toMatchObject({ conversation_id: boat, routing: { by: 'obvious' } })
    expect(first).toMatchObject({ conversation_id: begun.id, routing: { by: 'obvious' } })
    expect(asked).toHaveLength(1)
  })

  test('waits in the conversation whose answer is being written, whatever it is about', async () => {
    const { lease } = await twoThreads()
    const written = Promise.withResolvers<void>()
    app.locals.callModel = async (request: ModelRequest) => {
      await written.promise
      return answer(request)
    }
    try {
      const first = readFrames(await postTurn({ url, space_id, body: { text: 'And the rent?' } }))
      await first.next()
      const second = await postTurn({ url, space_id, body: { text: 'How many planks?', queue: true } })
      const frames = readFrames(second)
      const turn = (await frames.next()).value as Frame
      written.resolve()
      await Array.fromAsync(first)
      const rest: Frame[] = await Array.fromAsync(frames)

      expect(turnOf([turn])).toMatchObject({ conversation_id: lease, routing: { by: 'obvious' } })
      expect(rest.at(-1)?.type).toBe('done')
    } finally {
      written.resolve()
      app.locals.callModel = undefined
    }
  })

  test('is not routed when it names its conversation', async () => {
    const { boat } = await twoThreads()

    const turn = turnOf(await say('Who has the keys?', { conversation_id: boat }))

    expect(turn).toEqual({ turn_id: expect.any(String), conversation_id: boat, routed: 'named' })
    expect(asked).toHaveLength(0)
  })

  test('is routed once, however often it is sent with one key, also at the same time', async () => {
    await twoThreads()
    route = says({ choice: 'new' })
    const key = { 'Idempotency-Key': `keys-${space_id}` }

    const at_once = await Promise.all(Array.from({ length: 8 }, () => say('Who has the keys?', {}, key)))
    const later = await say('Who has the keys?', {}, key)
    const other = await postTurn({ url, space_id, body: { text: 'Another message' }, headers: key })

    const turns = [...at_once, later].map((frames) => turnOf(frames).turn_id)
    expect(new Set(turns).size).toBe(1)
    expect(asked).toHaveLength(1)
    expect(other.status).toBe(422)
    expect(await conversationsIn()).toHaveLength(3)
  })

  test('takes the conversation in use when the chosen one is deleted meanwhile', async () => {
    const { boat, lease } = await twoThreads()
    route = async () => {
      await owner.delete(`/api/spaces/${space_id}/conversations/${boat}`)
      return choosing({ choice: 'resume', id: boat })
    }

    expect(turnOf(await say('How many planks?'))).toMatchObject({ conversation_id: lease, routed: 'latest' })
  })

  test('leaves the database free while the router is asked', async () => {
    await twoThreads()
    const waiting = Promise.withResolvers<void>()
    route = async () => {
      await waiting.promise
      return choosing({ choice: 'continue' })
    }

    const response = postTurn({ url, space_id, body: { text: 'Who has the keys?' } })
    await expect.poll(() => asked.length).toBe(1)
    await owner.post(`/api/spaces/${space_id}/pages`).send({ title: 'Written meanwhile' }).expect(201)
    waiting.resolve()

    expect((await Array.fromAsync(readFrames(await response))).at(-1)?.type).toBe('done')
  })
})

const choosing = (choice: object) =>
  scriptedModel([{ text: JSON.stringify(choice) }])({ system: '', messages: [], tools: [] })

test('every decision is recorded with what was known', async () => {
  const { boat, lease } = await twoThreads()
  route = says({ choice: 'resume', id: boat })

  const turn = turnOf(await say('How many planks?'))
  const [decision, ...more] = await recorded()

  expect(more).toEqual([])
  expect(decision).toMatchObject({
    id: turn.routing?.decision_id,
    turn_id: turn.turn_id,
    conversation_id: boat,
    active_id: lease,
    choice: 'resume',
    decided_by: 'model',
    model: 'small',
    answer: JSON.stringify({ choice: 'resume', id: boat }),
    duration_ms: expect.any(Number),
    undone_at: null,
    known: {
      message: 'How many planks?',
      active: { id: lease, title: 'When does the lease end?' },
      others: [{ id: boat, title: 'Planks for the boat' }],
    },
  })
})

test('another model than the configured one is not routed by the small one', async () => {
  const { lease } = await twoThreads()
  app.locals.callModel = answer
  try {
    expect(turnOf(await say('And the keys?'))).toMatchObject({
      conversation_id: lease,
      routing: { by: 'rules' },
    })
  } finally {
    app.locals.callModel = undefined
  }
  expect(asked).toHaveLength(0)
})
