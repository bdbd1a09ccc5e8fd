// A stream that a browser opened ends with its session, at whatever server either of them is.

import { afterAll, expect, test } from 'vitest'
import { createSessionWatch } from '../../../lib/auth/owner-sessions.ts'
import { readEvents } from '../../../lib/core/text/event-stream.ts'
import { createLocalNotifications } from '../../../lib/db/notifications.ts'
import { ownerToken } from '../../helpers/build-app.ts'
import { createPacedModel } from '../../helpers/paced-model.ts'
import { startServer, type TestServer } from '../../helpers/servers.ts'
import { testDb } from '../../helpers/test-db.ts'
import { ofType, postTurn, readFrames } from '../../helpers/turn-client.ts'

const database = await testDb()
const model = createPacedModel()
const here = await startServer(database, model.callModel)
const there = await startServer(database, model.callModel)
const { id: space_id } = (await here.owner.post('/api/spaces').send({ name: 'Skerry Light' })).body
const asked = await postTurn({ url: here.url, space_id, body: { text: 'How tall is it?' } })
const turn = readFrames(asked)
const first = (await turn.next()).value!
const { turn_id } = ofType([first], 'turn')[0]!.data
const letGo = new AbortController()

afterAll(async () => {
  model.end()
  letGo.abort()
  await Array.fromAsync(turn)
})

/** A browser that signs in and reads a stream. */
async function browser(server: TestServer, path: string) {
  const { authentication } = server.deps.server
  const { session } = await authentication.openSession(ownerToken)
  const cookie = `void_session=${session}`
  const response = await fetch(server.url + path, { headers: { cookie }, signal: letGo.signal })
  const types: string[] = []
  const said: string[] = []
  let ended = false
  const read = async () => {
    for await (const { type, data } of readEvents(response.body!)) {
      types.push(type)
      said.push(data)
    }
    ended = true
  }
  read().catch(() => {})
  await expect.poll(() => types.length).toBeGreaterThan(0)
  const id = await authentication.findSession(session)
  return { cookie, id, types, said, isOver: () => ended, signedOut: () => fetchStatus(server.url, cookie) }
}

const fetchStatus = async (url: string, cookie: string) =>
  (await fetch(`${url}/api/events`, { headers: { cookie } })).status

const inTime = { timeout: 10_000 }

test.each([
  ['signing out', (one: Reader) => here.owner.delete('/api/session').set('Cookie', one.cookie)],
  ['ending it in Settings', (one: Reader) => here.owner.delete(`/api/sessions/${one.id}`)],
])('%s ends the streams of that session on every server, and no other’s', async (_how, end) => {
  const one = await browser(there, '/api/events')
  const other = await browser(there, '/api/events')

  await end(one)
  await expect.poll(one.isOver, inTime).toBe(true)
  const { body: later } = await here.owner.post('/api/spaces').send({ name: 'Later' })
  // What happened before may come late.
  await expect.poll(() => other.said.join(), inTime).toContain(later.id)

  expect(await one.signedOut()).toBe(401)
  expect(one.said.join()).not.toContain(later.id)
  expect(other.isOver()).toBe(false)
})

test('signing out everywhere ends the live streams and those of turns, which run on', async () => {
  const readers = await Promise.all(
    [here, there].flatMap((server) => [
      browser(server, '/api/events'),
      browser(server, `/api/turns/${turn_id}/events`),
    ]),
  )

  await here.owner.delete('/api/sessions')
  await expect.poll(() => readers.map(({ isOver }) => isOver()), inTime).toEqual([true, true, true, true])

  expect(readers.flatMap(({ types }) => types)).not.toContain('done')
  expect((await here.owner.get(`/api/turns/${turn_id}`)).body.status).toBe('running')
})

test('a session that runs out ends its streams too, though nobody announces it', async () => {
  const live = new Set(['a', 'b'])
  const ended: string[] = []
  const watch = createSessionWatch({
    notifications: createLocalNotifications(),
    listLive: async (ids) => ids.filter((id) => live.has(id)),
    checkMs: 5,
  })
  const leave = ['a', 'b'].map((id) => watch.add(id, () => ended.push(id)))

  live.delete('b')
  await expect.poll(() => ended, inTime).toEqual(['b'])

  for (const off of leave) off()
})

test('a database that does not answer ends no stream', async () => {
  const calls: string[][] = []
  const ended: string[] = []
  const watch = createSessionWatch({
    notifications: createLocalNotifications(),
    async listLive(ids) {
      calls.push([...ids])
      throw new Error('away')
    },
    checkMs: 5,
  })
  const leave = watch.add('a', () => ended.push('a'))

  await expect.poll(() => calls.length, inTime).toBeGreaterThan(2)
  leave()

  expect(ended).toEqual([])
})

type Reader = Awaited<ReturnType<typeof browser>>
