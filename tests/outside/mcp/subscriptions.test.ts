// What changes, told to whoever listens: of what it may read, and no longer than its token lasts.

import { InMemoryServerEventBus } from '@modelcontextprotocol/server'
import { afterEach, expect, test } from 'vitest'
import { createEndpoint } from '../../../lib/outside/mcp/endpoint.ts'
import { buildApp } from '../../helpers/build-app.ts'
import { listen } from '../../helpers/listen.ts'
import { makeAgent, makeWorld } from '../../helpers/world.ts'
import { emptyOffer } from './empty-offer.ts'
import { createRawClient } from './raw-client.ts'

const void_ = await buildApp()
const { owner, deps } = void_
const url = await listen(void_.app)
const world = await makeWorld(void_)
const spaces = [world.space.id]
const scribe = await makeAgent(void_, { slug: 'scribe', spaces })
const client = createRawClient(url, scribe.token)

type Listening = Awaited<ReturnType<typeof client.listen>>
const open: Listening[] = []
afterEach(() => {
  for (const { stop } of open.splice(0)) stop()
})

async function follow(notifications: Record<string, unknown>, by = client): Promise<Listening> {
  const listening = await by.listen(notifications)
  open.push(listening)
  await expect.poll(() => listening.received).not.toHaveLength(0)
  return listening
}

const lampUri = `void://skerry-light/page/${world.lamp.id}`
const told = ({ received }: Listening) => received.slice(1).map(({ method, params }) => params?.uri ?? method)

async function touch(body: string, id = world.lamp.id): Promise<void> {
  const { body: page } = await owner.get(`/api/pages/${id}`)
  await owner.patch(`/api/pages/${id}`).send({ version: page.version, body }).expect(200)
}

test('a resource that was named, when it changes, and no other', async () => {
  const listening = await follow({ resourceSubscriptions: [lampUri] })

  await touch('Another text.', world.lease.id)
  await touch('The lamp is out.')

  await expect.poll(() => told(listening)).toEqual([lampUri])
  expect(listening.response.headers.get('content-type')).toBe('text/event-stream')
  expect(listening.received[0]?.method).toBe('notifications/subscriptions/acknowledged')
})

test('that the list of resources is another one, and not once for each of many', async () => {
  const listening = await follow({ resourcesListChanged: true })
  const titles = Array.from({ length: 20 }, (_, n) => `Log ${n}`)

  for (const title of titles)
    await owner.post(`/api/spaces/${world.space.id}/pages`).send({ title }).expect(201)

  await expect.poll(() => told(listening)).toContain('notifications/resources/list_changed')
  expect(told(listening).length).toBeLessThan(titles.length)
})

test('a draft of its own, when it is decided, and not that of another', async () => {
  const other = createRawClient(url, (await makeAgent(void_, { slug: 'other', spaces })).token)
  const args = { entity_type: 'page', action: 'create', payload: { title: 'Gulls' }, reason: 'Seen.' }
  const { taskId } = (await client.callTool('propose_change', args)).result
  const uri = `void://skerry-light/draft/${taskId}`
  const mine = await follow({ resourceSubscriptions: [uri] })
  const theirs = await follow({ resourceSubscriptions: [uri, lampUri] }, other)

  await owner.post(`/api/pending-changes/${taskId}/reject`).send({ reason: 'No birds.' }).expect(200)
  await expect.poll(() => told(mine)).toEqual([uri])
  await touch('After the decision.')
  await expect.poll(() => told(theirs)).toContain(lampUri)

  const { contents } = (await client.request('resources/read', { uri })).result
  expect(JSON.parse(contents[0].text)).toMatchObject({ outcome: 'rejected', reason: 'No birds.' })
  expect(told(theirs)).toEqual([lampUri])
  expect((await other.request('resources/read', { uri })).error?.code).toBe(-32602)
})

test('nothing of a Space that it may not enter', async () => {
  const { body: secret } = await owner.post(`/api/spaces/${world.other.id}/pages`).send({ title: 'Secret' })
  const uris = ['harbour-office', 'skerry-light'].map((slug) => `void://${slug}/page/${secret.id}`)
  const filter = { resourceSubscriptions: [...uris, lampUri], resourcesListChanged: true }
  const everywhere = createRawClient(url, (await makeAgent(void_, { slug: 'everywhere' })).token)
  const allowed = await follow(filter, everywhere)
  const listening = await follow(filter)

  await touch('Still secret.', secret.id)
  await owner.post(`/api/spaces/${world.other.id}/pages`).send({ title: 'More' }).expect(201)
  await touch('After the secret.')

  await expect.poll(() => told(allowed)).toContain('notifications/resources/list_changed')
  await expect.poll(() => told(listening)).toContain(lampUri)
  expect(told(allowed)).toContain(uris[1])
  expect(told(listening)).toEqual([lampUri])
})

test('a stream ends at the next news when its token is revoked', async () => {
  const gone = await makeAgent(void_, { slug: 'gone', spaces })
  const listening = await follow({ resourceSubscriptions: [lampUri] }, createRawClient(url, gone.token))
  await owner.delete(`/api/agents/${gone.agentId}/tokens/${gone.tokenId}`).expect(200)

  await touch('Not for the one who went.')
  await listening.ended

  expect(told(listening).filter(Boolean)).toEqual([])
})

test('an agent that may no longer read is told nothing', async () => {
  const mute = await makeAgent(void_, {
    slug: 'mute',
    spaces,
    capabilities: { read: false, suggest: true },
  })
  const listening = await follow(
    { resourceSubscriptions: [lampUri], resourcesListChanged: true },
    createRawClient(url, mute.token),
  )
  const reader = await follow({ resourceSubscriptions: [lampUri], resourcesListChanged: true })

  await owner.post(`/api/spaces/${world.space.id}/pages`).send({ title: 'Four' }).expect(201)
  await touch('For readers alone.')

  await expect.poll(() => told(reader)).toHaveLength(2)
  expect(told(listening)).toEqual([])
})

test('more streams than one token may hold are refused, and the rest go on', async () => {
  const many = await makeAgent(void_, { slug: 'many', spaces })
  const crowd = createRawClient(url, many.token)
  const held: Listening[] = []
  for (let at = 0; at < 20; at += 1) held.push(await follow({ resourceSubscriptions: [lampUri] }, crowd))

  const refused = await crowd.listen({ resourceSubscriptions: [lampUri] })
  await touch('For twenty.')

  expect(refused.response.status).toBe(429)
  for (const each of held) await expect.poll(() => told(each)).toEqual([lampUri])
  for (const { stop } of held) stop()
  await expect.poll(async () => (await crowd.request('tools/list')).status).toBe(200)
})

test('the server has room for so many streams, and one that was left is free for the next', async () => {
  const news = new InMemoryServerEventBus()
  const endpoint = createEndpoint({
    logger: { info: () => {}, error: () => {} },
    offerTo: () => emptyOffer(() => Promise.reject(new Error('not asked'))),
    eventsOf: () => news,
    maxListeners: 1,
  })
  const mcp = await buildApp({ database: deps.database })
  mcp.deps.server.mcp = endpoint
  const other = createRawClient(await listen(mcp.app), scribe.token)
  const filter = { resourceSubscriptions: [lampUri] }

  const first = await follow(filter, other)
  const refused = await other.request('subscriptions/listen', { notifications: filter })
  first.stop()
  await expect.poll(() => news.listenerCount).toBe(0)
  const second = await follow(filter, other)
  news.publish({ kind: 'resource_updated', uri: lampUri })

  expect(refused.error?.message).toContain('limit')
  await expect.poll(() => told(second)).toEqual([lampUri])
})

test('a filter of the wrong form is an error', async () => {
  for (const notifications of [{ resourceSubscriptions: 'all' }, { resourceSubscriptions: [7] }, 'all', null])
    expect((await client.request('subscriptions/listen', { notifications })).error?.code).toBe(-32602)
})

test('a stop of the server ends every stream in order', async () => {
  const second = await buildApp({ database: deps.database })
  const other = createRawClient(await listen(second.app), scribe.token)
  const listening = await follow({ resourceSubscriptions: [lampUri] }, other)

  second.deps.server.live.close()
  await listening.ended

  expect(listening.received.at(-1)?.result).toMatchObject({ resultType: 'complete' })
})
