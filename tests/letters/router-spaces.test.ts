// The router's digest: the owner's ten latest threads over the Spaces that the turn may see, its own first; and resuming
// one in another Space.

import { beforeEach, describe, expect, test } from 'vitest'
import type { CallModel } from '../../lib/ai/model.ts'
import { buildApp } from '../helpers/build-app.ts'
import { listen } from '../helpers/listen.ts'
import { scriptedModel } from '../helpers/scripted-model.ts'
import { ofType, postTurn, readFrames, takeTurn } from '../helpers/turn-client.ts'

type Thread = { id: string; title: string; space?: string }

let choose: (others: Thread[]) => object
const digests: Thread[][] = []
const answer: CallModel = async (request) => scriptedModel([{ text: 'Aye.' }])(request)
const { app, owner, deps } = await buildApp({
  callModel: answer,
  smallModel: (request) => {
    if (!request.system.startsWith('You sort messages')) return answer(request)
    const { others } = JSON.parse(String(request.messages[0]!.content))
    digests.push(others)
    return scriptedModel([{ text: JSON.stringify(choose(others)) }])(request)
  },
})
const url = await listen(app)

let home: { id: string; slug: string; name: string }
let law: typeof home
let active: string
let leases: string
beforeEach(async () => {
  await deps.database.query('update spaces set deleted_at = now()')
  home = (await owner.post('/api/spaces').send({ name: 'Home' })).body
  law = (await owner.post('/api/spaces').send({ name: 'Law' })).body
  digests.length = 0
  choose = () => ({ choice: 'new' })
  leases = await begin('Leases in Brooklyn', law.id)
  active = await begin('Paint the fence', home.id)
})

async function begin(text: string, space_id: string): Promise<string> {
  const { body } = await owner.post(`/api/spaces/${space_id}/conversations`)
  await say(text, { conversation_id: body.id }, { space_id })
  return body.id
}

const say = (
  text: string,
  more: Record<string, unknown> = {},
  { space_id = home.id, headers = {} }: { space_id?: string; headers?: Record<string, string> } = {},
) => takeTurn({ url, space_id, body: { text, ...more }, headers })

const routed = async (...said: Parameters<typeof say>) => {
  const frames = await say(...said)
  return { turn: ofType(frames, 'turn')[0]!.data, status: ofType(frames, 'status')[0]?.data.message }
}
const toLaw = (others: Thread[]) => ({
  choice: 'resume',
  id: others.find(({ space }) => space === 'Law')?.id ?? 'none',
})
const bodies = async (id: string) =>
  (await owner.get(`/api/conversations/${id}/messages`)).body.items.map(({ body }: { body: string }) => body)

describe('the digest', () => {
  test('has the threads of the message’s own Space first, then those of others with their Space', async () => {
    const fence = await begin('Which fence paint is best?', home.id)
    await begin('Sublet clause', law.id)

    await say('Who has the keys?', { active_conversation_id: fence })

    expect(digests.at(-1)!.map(({ title, space }) => [title, space])).toEqual([
      ['Paint the fence', undefined],
      ['Sublet clause', 'Law'],
      ['Leases in Brooklyn', 'Law'],
    ])
  })

  test('has the ten latest, wherever they are', async () => {
    await begin('The oldest of home', home.id)
    for (let n = 1; n <= 10; n++) await begin(`Case ${n}`, law.id)
    const latest = await begin('The latest of home', home.id)
    const newest = await begin('In use', home.id)

    await say('Who has the keys?', { active_conversation_id: newest })

    const others = digests.at(-1)!
    expect(others).toHaveLength(10)
    expect(others[0]).toMatchObject({ id: latest, title: 'The latest of home' })
    expect(others.slice(1).map(({ title }) => title)).toEqual(
      [10, 9, 8, 7, 6, 5, 4, 3, 2].map((n) => `Case ${n}`),
    )
  })

  test('leaves out Spaces in the trash', async () => {
    await owner.delete(`/api/spaces/${law.id}`).send({ version: 1 }).expect(200)

    await say('Who has the keys?')

    expect(digests.at(-1)).toEqual([])
  })

  test('leaves out Spaces in which the companion does not answer', async () => {
    const other = (await owner.post('/api/spaces').send({ name: 'Club' })).body
    const { body: clerk } = await owner
      .post('/api/agents')
      .send({ name: 'Clerk', tier: 'read', spaces: [home.id, other.id] })
      .expect(201)
    const ask = async (space_id: string, text: string) => {
      const { body } = await owner.post(`/api/spaces/${space_id}/conversations`).send({ agent_id: clerk.id })
      await say(text, { conversation_id: body.id }, { space_id })
    }
    await ask(other.id, 'Club rules')
    await ask(home.id, 'Which tools?')
    await owner
      .patch(`/api/agents/${clerk.id}`)
      .send({ spaces: [home.id] })
      .expect(200)

    await say('Who has the keys?', { agent_id: clerk.id })

    expect(digests.at(-1)).toEqual([])
  })

  test.each(['mentions', 'attachments'])('stays in the Space with %s of it', async (what) => {
    const { body: page } = await owner.post(`/api/spaces/${home.id}/pages`).send({ title: 'Fence' })
    const { body: file } = await owner
      .post(`/api/spaces/${home.id}/attachments?name=list.txt`)
      .type('application/octet-stream')
      .send(Buffer.from('Planks'))

    await say('Who has the keys?', { [what]: [what === 'mentions' ? page.id : file.id] })

    expect(digests.at(-1)).toEqual([])
  })
})

describe('resuming a thread of another Space', () => {
  test('says so and goes on there', async () => {
    choose = toLaw

    const { turn, status } = await routed('When do the leases in Brooklyn end?')

    expect(turn).toMatchObject({
      conversation_id: leases,
      routed: 'resumed',
      routing: {
        by: 'model',
        title: 'Leases in Brooklyn',
        from: active,
        space: { id: law.id, slug: law.slug, name: 'Law' },
      },
    })
    expect(status).toBe('Continuing “Leases in Brooklyn” in the Space “Law”.')
    expect((await owner.get(`/api/turns/${turn.turn_id}`)).body).toMatchObject({
      space_id: law.id,
      conversation_id: leases,
      status: 'done',
    })
    expect(await bodies(leases)).toEqual([
      'Leases in Brooklyn',
      'Aye.',
      'When do the leases in Brooklyn end?',
      'Aye.',
    ])
    expect(await bodies(active)).toEqual(['Paint the fence', 'Aye.'])
    expect((await owner.get(`/api/spaces/${law.id}/companion`)).body.conversation_id).toBe(leases)
  })

  test('says so in an answer in one piece', async () => {
    choose = toLaw
    const response = await postTurn({
      url,
      space_id: home.id,
      body: { text: 'When do the leases end?' },
      headers: { accept: 'application/json' },
    })

    expect(await response.json()).toMatchObject({
      text: 'Continuing “Leases in Brooklyn” in the Space “Law”. Aye.',
      conversation_id: leases,
      routed: 'resumed',
    })
  })

  test('leaves behind what was in view', async () => {
    const { body: page } = await owner.post(`/api/spaces/${home.id}/pages`).send({ title: 'Fence' })
    choose = toLaw

    await say('When do the leases end?', { view: { entityType: 'page', entityId: page.id } })

    const { body } = await owner.get(`/api/conversations/${leases}/messages`)
    expect(body.items.at(-2)).toMatchObject({ body: 'When do the leases end?', metadata: {} })
    expect(body.items.at(-2).metadata).not.toHaveProperty('view')
  })

  test('with the same Idempotency-Key is the same turn, and with another message a 422', async () => {
    choose = toLaw
    const key = { headers: { 'idempotency-key': 'leases-1' } }
    const first = await routed('When do the leases end?', {}, key)
    const again = await routed('When do the leases end?', {}, key)
    const response = await postTurn({
      url,
      space_id: home.id,
      body: { text: 'Something else' },
      ...key,
    })

    expect(again.turn.turn_id).toBe(first.turn.turn_id)
    expect(response.status).toBe(422)
    const own = await routed('Rent rules', {}, { ...key, space_id: law.id })
    expect(own.turn.turn_id).not.toBe(first.turn.turn_id)
  })

  test('is undone into a thread of its own there: what it read and drafted is of that Space', async () => {
    choose = toLaw
    const { turn } = await routed('When do the leases end?')

    const { body } = await owner
      .post(`/api/routing-decisions/${turn.routing!.decision_id}/undo`)
      .send({})
      .expect(200)

    expect(body).toMatchObject({ from: leases, conversation: { space_id: law.id } })
    expect(body.conversation.id).not.toBe(leases)
    expect(await bodies(leases)).toEqual(['Leases in Brooklyn', 'Aye.'])
    await owner
      .post(`/api/routing-decisions/${turn.routing!.decision_id}/undo`)
      .send({ to: active })
      .expect(404)
  })

  test('waits behind the answer that runs there, if asked to', async () => {
    choose = toLaw
    const { promise, resolve } = Promise.withResolvers<void>()
    app.locals.callModel = async (request: Parameters<CallModel>[0]) => {
      await promise
      return await answer(request)
    }
    const running = await postTurn({
      url,
      space_id: law.id,
      body: { text: 'Rent?', conversation_id: leases },
    })
    app.locals.callModel = undefined
    const refused = await postTurn({ url, space_id: home.id, body: { text: 'When do the leases end?' } })
    const queued = await postTurn({
      url,
      space_id: home.id,
      body: { text: 'When do the leases end?', queue: true },
    })
    const frames = readFrames(queued)
    const [, second] = [await frames.next(), await frames.next()]
    resolve()
    await Array.fromAsync(readFrames(running))
    const rest = await Array.fromAsync(frames)

    expect(refused.status).toBe(409)
    expect(second.value).toMatchObject({
      type: 'status',
      data: {
        message: 'Continuing “Leases in Brooklyn” in the Space “Law”. Waiting for the previous answer.',
      },
    })
    expect(rest.at(-1)?.type).toBe('done')
  })
})

describe('by rules alone', () => {
  const rules = async (text: string) => {
    app.locals.callModel = answer
    const { turn } = await routed(text)
    app.locals.callModel = undefined
    return turn
  }

  test.each(['When do the leases in Brooklyn end?', 'Back to the leases'])(
    '“%s” resumes what it names in another Space',
    async (text) => {
      expect(await rules(text)).toMatchObject({ conversation_id: leases, routing: { by: 'rules' } })
    },
  )

  test.each(['Is there a bridge to Brooklyn?', 'Draft an NDA for Acme', 'And which colour?'])(
    '“%s” does not',
    async (text) => {
      expect((await rules(text)).conversation_id).not.toBe(leases)
    },
  )

  test('what this Space has comes first', async () => {
    const own = await begin('Leases in Brooklyn of our own', home.id)
    await begin('Paint the door', home.id)

    expect((await rules('When do the leases in Brooklyn end?')).conversation_id).toBe(own)
  })
})
