// Reads from a streaming replica: a real one, made of the same programs as its primary, where there are any.

import request from 'supertest'
import { afterAll, beforeAll, describe, expect, onTestFinished, test } from 'vitest'
import { migrate } from '../../lib/db/migrate.ts'
import { type Database, openDatabase } from '../../lib/db/pool.ts'
import { buildApp, ownerToken, type TestApp } from '../helpers/build-app.ts'
import { type Cluster, copyCluster, createCluster, findPostgres } from '../helpers/clusters.ts'

const programs = findPostgres()

describe.runIf(programs)('with a streaming replica', () => {
  let primary: Cluster
  let standby: Cluster
  let admin: Database
  let replicaAdmin: Database

  beforeAll(async () => {
    primary = await createCluster(programs!, ['wal_level = replica', 'max_wal_senders = 5'])
    await primary.start()
    admin = await openDatabase({ url: primary.url })
    await migrate(admin)
    standby = await copyCluster(programs!, primary)
    await standby.start()
    replicaAdmin = await openDatabase({ url: standby.url })
  })

  afterAll(async () => {
    await admin?.close()
    await replicaAdmin?.close()
    standby?.remove()
    primary?.remove()
  })

  const pause = async () => {
    await replicaAdmin.query('select pg_wal_replay_pause()')
    const state = async () =>
      (await replicaAdmin.query('select pg_get_wal_replay_pause_state() as state')).rows[0]?.state
    await expect.poll(state).toBe('paused')
  }
  const resume = () => replicaAdmin.query('select pg_wal_replay_resume()')

  async function startServer(): Promise<
    TestApp & { database: Database; read: () => Record<string, number> }
  > {
    const database = await openDatabase({ url: primary.url, readUrl: standby.url })
    onTestFinished(() => database.close())
    const built = await buildApp({ database })
    return { ...built, database, read: () => ({ ...database.replica.state().reads }) }
  }

  const titles = ({ body }: { body: { items: { title: string }[] } }) => body.items.map(({ title }) => title)

  test('lists, search, activity and exports are read there, and hold what was just written', async () => {
    const { owner, read } = await startServer()
    const space = (await owner.post('/api/spaces').send({ name: 'Read there' })).body.id
    for (const title of ['Lens', 'Lamp', 'Log']) {
      await owner.post(`/api/spaces/${space}/pages`).send({ title, body: 'The wick is trimmed.' }).expect(201)
      const { body } = await owner.get(`/api/spaces/${space}/pages`).expect(200)
      expect(body.items[0].title).toBe(title)
    }
    for (const path of [
      `/api/search?q=wick&space_id=${space}`,
      `/api/activity?space_id=${space}`,
      `/api/spaces/${space}/overview`,
      `/api/spaces/${space}/export`,
    ]) {
      const before = Number(read().replica)
      // While the machine is slow the primary answers.
      await expect
        .poll(async () => {
          await owner.get(path).expect(200)
          return read().replica
        })
        .toBeGreaterThan(before)
    }
  })

  test('what was written at one server is read at another by whoever brings its position, in a header or a cookie', async () => {
    const [here, there] = [await startServer(), await startServer()]
    const space = (await here.owner.post('/api/spaces').send({ name: 'Two servers' })).body.id

    for (const brings of ['header', 'cookie'] as const) {
      const title = `Brought by ${brings}`
      const written = await here.owner.post(`/api/spaces/${space}/pages`).send({ title })
      const position = String(written.headers['void-position'])
      const cookie = String(written.headers['set-cookie']).split(';')[0]!
      const answer = await request(there.app)
        .get(`/api/spaces/${space}/pages`)
        .set('Authorization', `Bearer ${ownerToken}`)
        .set(brings === 'header' ? { 'void-position': position } : { Cookie: cookie })

      expect(position).toMatch(/^[0-9A-F]+\/[0-9A-F]+$/)
      expect(titles(answer)[0]).toBe(title)
    }
  })

  test('a replica that lags is waited for only so long, then the primary answers', async () => {
    const { owner, read } = await startServer()
    const space = (await owner.post('/api/spaces').send({ name: 'Behind' })).body.id
    await pause()
    onTestFinished(async () => {
      await resume()
    })

    await owner.post(`/api/spaces/${space}/pages`).send({ title: 'Ahead of the replica' }).expect(201)
    const answer = await owner.get(`/api/spaces/${space}/pages`).expect(200)

    expect(titles(answer)).toEqual(['Ahead of the replica'])
    expect(read().behind).toBeGreaterThan(0)
  })

  test('a replica that catches up within the time answers itself', async () => {
    const { owner, database } = await startServer()
    const space = (await owner.post('/api/spaces').send({ name: 'Catching up' })).body.id
    await pause()
    await owner.post(`/api/spaces/${space}/pages`).send({ title: 'Soon there' }).expect(201)

    const reading = database.replica.read(null, () => database.query('select pg_is_in_recovery() as there'))
    await resume()

    // On a machine that is slow at this moment the primary may have answered; either way it did.
    expect(typeof (await reading).rows[0]?.there).toBe('boolean')
    await expect
      .poll(async () => {
        const ask = () => database.query<{ there: boolean }>('select pg_is_in_recovery() as there')
        return (await database.replica.read(null, ask)).rows[0]?.there
      })
      .toBe(true)
  })

  test('a position that is none, or that no log will reach, costs no more than the wait', async () => {
    const { owner } = await startServer()
    const space = (await owner.post('/api/spaces').send({ name: 'Made up' })).body.id

    for (const position of ['FFFFFFFF/FFFFFFFF', "'; drop table pages; --", '', '0/0', 'x'.repeat(5000)]) {
      const answer = await owner.get(`/api/spaces/${space}/pages`).set('void-position', position)

      expect(answer.status).toBe(200)
    }
  })

  test('a statement that writes or locks goes to the primary, wherever it stands', async () => {
    const { database } = await startServer()

    const { rows } = await database.replica.read(null, async () => {
      await database.query("update agents set name = name where slug = 'companion'")
      await database.query('select id from agents for update')
      await database.transaction((tx) => tx.query('select txid_current()'))
      return await database.query<{ there: boolean }>('select pg_is_in_recovery() as there')
    })

    expect(rows).toEqual([{ there: true }])
  })

  test('a replica that dies costs nothing but speed, and is used again when it is back', async () => {
    const { owner, database, read } = await startServer()
    const space = (await owner.post('/api/spaces').send({ name: 'Dies' })).body.id
    await owner.post(`/api/spaces/${space}/pages`).send({ title: 'Kept' }).expect(201)

    standby.kill()
    for (let asked = 0; asked < 5; asked += 1) {
      expect(titles(await owner.get(`/api/spaces/${space}/pages`).expect(200))).toEqual(['Kept'])
    }
    expect(read().away).toBeGreaterThan(0)
    await standby.start()

    await expect
      .poll(async () => {
        const ask = () => database.query<{ there: boolean }>('select pg_is_in_recovery() as there')
        return (await database.replica.read(null, ask)).rows[0]?.there
      })
      .toBe(true)
  })
})

test('without a replica nobody is told of positions', async () => {
  const { owner } = await buildApp()

  const { headers } = await owner.post('/api/spaces').send({ name: 'Alone' })

  expect(headers['void-position']).toBeUndefined()
  expect(headers['set-cookie']).toBeUndefined()
})
