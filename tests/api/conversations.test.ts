import { beforeEach, describe, expect, test } from 'vitest'
import type { Conversation } from '../../lib/contract/companion/companion.ts'
import type { LiveEvent } from '../../lib/contract/events/live.ts'
import { buildApp } from '../helpers/build-app.ts'
import { scriptedModel } from '../helpers/scripted-model.ts'
import { makeAgent } from '../helpers/world.ts'

const void_ = await buildApp({ callModel: async (request) => scriptedModel([{ text: 'Aye.' }])(request) })
const { owner, as, deps } = void_

let at: string
beforeEach(async () => {
  const { body } = await owner.post('/api/spaces').send({ name: 'Log room' })
  at = `/api/spaces/${body.id}`
})

async function begin(words: string): Promise<string> {
  const { body } = await owner.post(`${at}/conversations`)
  await owner.post(`${at}/companion/turn`).send({ text: words, conversation_id: body.id })
  return body.id
}

const titlesOf = async (query = ''): Promise<string[]> =>
  (await owner.get(`${at}/conversations${query}`)).body.items.map(({ title }: Conversation) => title)

/** What the log of activities tells of what was said in a conversation. */
const heardOf = async (id: string): Promise<unknown[]> =>
  (await owner.get('/api/activity?source=message&limit=200')).body.items.filter(
    ({ conversation_id }: { conversation_id: string }) => conversation_id === id,
  )

const turnsOf = (id: string) =>
  deps.database.query<{ id: string; stop_reason: string }>(
    'select id, stop_reason from turns where conversation_id = $1 order by id',
    [id],
  )

const inUse = async () => (await owner.get(`${at}/companion`)).body.conversation_id

describe('a conversation', () => {
  test('is archived out of use, listed apart, and comes back when it is opened', async () => {
    const boat = await begin('The boat leaks')
    const oil = await begin('How much oil is left?')

    await owner.patch(`${at}/conversations/${oil}`).send({ archived: true }).expect(200)

    expect(await inUse()).toBe(boat)
    expect(await titlesOf('?status=active')).toEqual(['The boat leaks'])
    expect(await titlesOf('?status=archived')).toEqual(['How much oil is left?'])
    expect(await titlesOf()).toEqual(['How much oil is left?', 'The boat leaks'])

    const opened = await owner.patch(`${at}/conversations/${oil}`).send({ in_use: true })
    expect(opened.body.status).toBe('active')
    expect(await inUse()).toBe(oil)
  })

  test('is deleted softly: gone from every list and address, and restored whole', async () => {
    const id = await begin('The boat leaks')

    await owner.delete(`${at}/conversations/${id}`).expect(200)

    expect(await titlesOf()).toEqual([])
    expect(await titlesOf('?status=deleted')).toEqual(['The boat leaks'])
    expect((await owner.get(`${at}/conversations/${id}`)).status).toBe(404)
    expect((await owner.get(`/api/conversations/${id}/messages`)).status).toBe(404)
    expect((await owner.delete(`${at}/conversations/${id}`)).status).toBe(404)
    expect((await owner.patch(`${at}/conversations/${id}`).send({ title: 'x' })).status).toBe(404)
    const turn = await owner.post(`${at}/companion/turn`).send({ text: 'Still?', conversation_id: id })
    expect(turn.status).toBe(404)
    expect(await heardOf(id)).toEqual([])
    const { rows } = await turnsOf(id)
    for (const path of [`/api/turns/${rows[0]?.id}`, `/api/turns/${rows[0]?.id}/events`]) {
      expect((await owner.get(path)).status).toBe(404)
    }

    await owner.post(`${at}/conversations/${id}/restore`).expect(200)
    expect(await titlesOf()).toEqual(['The boat leaks'])
    expect((await owner.get(`/api/conversations/${id}/messages`)).body.items).toHaveLength(2)
    expect(await heardOf(id)).toHaveLength(2)
    expect((await owner.get(`/api/turns/${rows[0]?.id}/events`)).text).toContain('Aye.')
  })

  test('that is deleted in the middle of an answer stops it, and takes back what waits', async () => {
    const { body } = await owner.post(`${at}/conversations`)
    const request = { message: { text: 'Hold on' }, queue: true, idempotency_key: null }
    const start = () =>
      deps.companion.start(
        { kind: 'owner' },
        {
          ...request,
          space_id: body.space_id,
          conversation_id: body.id,
          callModel: scriptedModel([{ hang: true }]),
        },
      )
    await start()
    await start()

    await owner.delete(`${at}/conversations/${body.id}`).expect(200)

    const { rows } = await turnsOf(body.id)
    expect(rows.map(({ stop_reason }) => stop_reason)).toEqual(['aborted', 'withdrawn'])
  })

  test('is found by words of its title and of its messages', async () => {
    const id = await begin('The boat leaks')
    await begin('How much oil is left?')
    await owner.patch(`${at}/conversations/${id}`).send({ title: 'Hull' })

    expect(await titlesOf('?q=hull')).toEqual(['Hull'])
    expect(await titlesOf('?q=LEAKS')).toEqual(['Hull'])
    expect(await titlesOf('?q=mast')).toEqual([])
  })

  test('of another Space is 404, whatever is done to it', async () => {
    const id = await begin('The boat leaks')
    const { body: other } = await owner.post('/api/spaces').send({ name: 'Elsewhere' })
    const there = `/api/spaces/${other.id}/conversations/${id}`

    expect([
      (await owner.get(there)).status,
      (await owner.patch(there).send({ title: 'Mine' })).status,
      (await owner.patch(there).send({ archived: true })).status,
      (await owner.delete(there)).status,
      (await owner.post(`${there}/restore`)).status,
    ]).toEqual([404, 404, 404, 404, 404])
    expect(await titlesOf()).toEqual(['The boat leaks'])
  })

  test('is nobody’s but the owner’s', async () => {
    const id = await begin('The boat leaks')
    const { token } = await makeAgent(void_, { slug: `nosy-${id.slice(-6)}` })

    expect([
      (await as(token).get(`${at}/conversations/${id}`)).status,
      (await as(token).delete(`${at}/conversations/${id}`)).status,
      (await as(token).post(`${at}/conversations/${id}/restore`)).status,
    ]).toEqual([403, 403, 403])
  })

  test('tells every open tab that it has changed', async () => {
    const id = await begin('The boat leaks')
    const heard: LiveEvent[] = []
    const end = deps.server.live.subscribe((event) => heard.push(event), null)

    await owner.patch(`${at}/conversations/${id}`).send({ title: 'Hull' })
    await owner.delete(`${at}/conversations/${id}`)
    await owner.post(`${at}/conversations/${id}/restore`)
    end()

    const told = heard.filter(({ type, data }) => type === 'conversation' && 'id' in data && data.id === id)
    expect(told).toHaveLength(3)
  })
})
