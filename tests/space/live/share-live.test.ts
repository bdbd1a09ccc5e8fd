import fc from 'fast-check'
import { v7 as uuid } from 'uuid'
import { expect, inject, test } from 'vitest'
import type { Published } from '../../../lib/contract/events/live.ts'
import { createLocalNotifications, type Notifications } from '../../../lib/db/notifications.ts'
import { openDatabase } from '../../../lib/db/pool.ts'
import { createLive, type NumberedLiveEvent, shareLive } from '../../../lib/space/live/live.ts'
import { buildApp, ownerToken } from '../../helpers/build-app.ts'
import { listen } from '../../helpers/listen.ts'
import { scriptedModel } from '../../helpers/scripted-model.ts'
import { startServer } from '../../helpers/servers.ts'
import { testDb } from '../../helpers/test-db.ts'
import { readFrames, takeTurn } from '../../helpers/turn-client.ts'
import { makeAgent } from '../../helpers/world.ts'

const inbox = (count: number): Published => ({ type: 'inbox', data: { count } })

/** What a browser at this server hears, as it hears it. */
async function listenAt(url: string): Promise<{ type: string; data: Record<string, unknown> }[]> {
  const response = await fetch(`${url}/api/events`, { headers: { authorization: `Bearer ${ownerToken}` } })
  const heard: { type: string; data: Record<string, unknown> }[] = []
  const read = async () => {
    for await (const { type, data } of readFrames(response)) heard.push({ type, data: { ...data } })
  }
  // The server goes with the test file.
  read().catch(() => {})
  await expect.poll(() => heard.length, { timeout: 10_000 }).toBe(1)
  return heard
}

test('a tab at another server hears of changes, drafts, decisions, turns and threads, each once, as one at this does', async () => {
  const database = await testDb()
  const model = scriptedModel([{ text: 'Good evening.' }])
  const here = await startServer(database, model)
  const there = await startServer(database, model)
  const { token } = await makeAgent(here, { slug: 'scribe' })
  const [near, far] = [await listenAt(here.url), await listenAt(there.url)]

  const space_id = (await here.owner.post('/api/spaces').send({ name: 'Skerry Light' })).body.id
  const task = (await here.owner.post(`/api/spaces/${space_id}/tasks`).send({ title: 'Paint' })).body
  const draft = await here.as(token).patch(`/api/tasks/${task.id}`).send({ version: 1, status: 'done' })
  await here.owner.post(`/api/pending-changes/${draft.body.id}/approve`).send({})
  await takeTurn({ url: here.url, space_id, body: { text: 'Hello' } })
  await here.owner.post(`/api/spaces/${space_id}/conversations`)
  await here.owner.delete(`/api/spaces/${space_id}`).set('If-Match', '1')
  const isLast = ({ type, data }: { type: string; data: Record<string, unknown> }) =>
    type === 'space' && data.action === 'delete'
  await expect.poll(() => far.some(isLast), { timeout: 10_000 }).toBe(true)

  expect(far).toEqual(near)
  expect(far.map(({ type }) => type)).toEqual(
    expect.arrayContaining(['hello', 'space', 'entity', 'change', 'inbox', 'turn']),
  )
})

test('what servers tell each other holds no word of a title, a text, a message or a reason', async () => {
  const database = await testDb()
  const payloads: string[] = []
  const notify = (channel: string, payload: string) => {
    payloads.push(payload)
    database.notifications.notify(channel, payload)
  }
  const told = { ...database, notifications: { ...database.notifications, notify } }
  const built = await buildApp({
    database: told,
    callModel: scriptedModel([{ text: 'Good evening, lampblack.' }]),
  })
  const { owner, as } = built
  const { token } = await makeAgent(built, { slug: 'scribe' })
  const url = await listen(built.app)

  const space_id = (await owner.post('/api/spaces').send({ name: 'Lampblack' })).body.id
  const page = { title: 'Lampblack', body: 'Lampblack is soot.' }
  const { id } = (await owner.post(`/api/spaces/${space_id}/pages`).send(page)).body
  const change = { version: 1, body: 'Lampblack is ink.', reason: 'Lampblack was asked for.' }
  const draft = (await as(token).patch(`/api/pages/${id}`).send(change)).body
  await owner.post(`/api/pending-changes/${draft.id}/reject`).send({ reason: 'No lampblack.' })
  await takeTurn({ url, space_id, body: { text: 'What is lampblack?' } })

  await expect.poll(() => payloads.join(' ')).toContain(id)
  expect(payloads.filter((payload) => /lampblack/i.test(payload))).toEqual([])
})

test('a conversation is named by the server that ran its turn, and by no other', async () => {
  const database = await testDb()
  const namings = [0, 0]
  const servers = await Promise.all(
    [0, 1].map((n) =>
      buildApp({
        database,
        callModel: scriptedModel([{ text: 'Good evening.' }]),
        smallModel: async (request) => {
          namings[n]! += 1
          return await scriptedModel([{ text: '{"title":"An evening","summary":"They met."}' }])(request)
        },
      }),
    ),
  )
  const { owner, deps } = servers[0]!
  const space_id = (await owner.post('/api/spaces').send({ name: 'Skerry Light' })).body.id
  const conversation_id = (await owner.post(`/api/spaces/${space_id}/conversations`)).body.id
  const told: NumberedLiveEvent[] = []
  servers[1]!.deps.server.live.subscribe((event) => told.push(event), null)

  await owner.post(`/api/spaces/${space_id}/companion/turn`).send({ text: 'Hello', conversation_id })
  await expect.poll(() => told.some(({ type }) => type === 'conversation'), { timeout: 10_000 }).toBe(true)

  expect(told.filter(({ type }) => type === 'turn').every(({ elsewhere }) => elsewhere)).toBe(true)
  expect(namings).toEqual([1, 0])
  expect((await deps.companion.conversation(space_id, { kind: 'owner' })).title).toBe('An evening')
})

test('whatever happens at once goes along in words that Postgres takes, in order, and nothing is lost', () => {
  fc.assert(
    fc.property(fc.array(fc.string({ maxLength: 300, unit: 'grapheme' }), { maxLength: 200 }), (kinds) => {
      const { notifications, payloads } = recording()
      const sender = shareLive({ notifications, boot: 'a', onEvent: () => {}, onGap: () => {} })
      const heard: Published[] = []
      shareLive({ notifications, boot: 'b', onEvent: (event) => heard.push(event), onGap: fail })
      const place = { id: uuid(), space_id: uuid(), version: 1, action: 'update' } as const
      const events = kinds.map((kind): Published => ({ type: 'entity', data: { kind, ...place } }))

      for (const event of events) sender.tell(event)
      sender.close()

      expect(heard).toEqual(events)
      expect(payloads.every((payload) => Buffer.byteLength(payload) < 7900)).toBe(true)
    }),
  )
})

test.each([
  [
    'words of another version',
    (notifications: Notifications) => notifications.notify('void_live', 'b [{"type":"x"}]'),
  ],
  ['no words at all', (notifications: Notifications) => notifications.notify('void_live', '')],
])('%s tell every reader to ask again, also one that comes back from before', (_, happen) => {
  const notifications = createLocalNotifications()
  const live = createLive({ boot: 'a', version: '1', notifications })
  const heard: NumberedLiveEvent[] = []
  live.subscribe((event) => heard.push(event), null)
  live.publish(inbox(1))
  const before = heard.at(-1)!.id

  happen(notifications)
  const again: NumberedLiveEvent[] = []
  live.subscribe((event) => again.push(event), before)
  const after: NumberedLiveEvent[] = []
  live.subscribe((event) => after.push(event), heard.at(-1)!.id)

  expect(heard.at(-1)).toMatchObject({ type: 'hello', data: { resumed: false } })
  expect(again).toMatchObject([{ type: 'hello', data: { resumed: false } }])
  expect(after).toMatchObject([{ type: 'hello', data: { resumed: true } }])
})

test.runIf(inject('postgresTemplate'))(
  'when the connection that listens was lost, readers are told to ask again once it is back',
  async () => {
    const database = await testDb()
    const url = String(Reflect.get(database.pool.options, 'connectionString'))
    const own = await openDatabase({ url })
    const live = createLive({ boot: 'a', version: '1', notifications: own.notifications })
    const heard: NumberedLiveEvent[] = []
    live.subscribe((event) => heard.push(event), null)
    const other = createLive({ boot: 'b', version: '1', notifications: database.notifications })
    await expect
      .poll(() => {
        other.publish(inbox(7))
        return heard.length
      })
      .toBeGreaterThan(1)

    await database.query(
      `select pg_terminate_backend(pid)
       from pg_stat_activity
       where datname = current_database() and query ilike 'listen %'`,
    )

    const isGap = ({ type, data }: NumberedLiveEvent) =>
      type === 'hello' && 'resumed' in data && !data.resumed
    await expect.poll(() => heard.slice(1).some(isGap), { timeout: 10_000 }).toBe(true)
    await own.close()
  },
)

function recording() {
  const payloads: string[] = []
  const local = createLocalNotifications()
  const notifications: Notifications = {
    ...local,
    notify(channel, payload) {
      payloads.push(payload)
      local.notify(channel, payload)
    },
  }
  return { notifications, payloads }
}

function fail(): never {
  throw new Error('something was missed')
}
