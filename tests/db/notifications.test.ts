// Words between servers, where there is a real Postgres; and what becomes of them behind a pooler that delivers none.

import { afterAll, beforeAll, describe, expect, inject, onTestFinished, test } from 'vitest'
import { createPostgresNotifications } from '../../lib/db/notifications.ts'
import { openDatabase } from '../../lib/db/pool.ts'
import { type Cluster, createCluster, findPostgres } from '../helpers/clusters.ts'
import { directUrlOf } from '../helpers/direct-url.ts'
import { findPgbouncer, type Pooler, startPgbouncer } from '../helpers/pgbouncer.ts'

const postgres = inject('postgresTemplate')

describe.runIf(postgres)('on a Postgres server', () => {
  test('while words do not arrive, listeners are told to look again and again, and once more when they do', async () => {
    const database = await openDatabase({ url: postgres!.url })
    onTestFinished(() => database.close())
    const url = directUrlOf(postgres!.url) ?? postgres!.url
    let lost = true
    let silences = 0
    let gaps = 0
    const heard: string[] = []
    const notifications = createPostgresNotifications({
      url,
      query: async (text, values) => (lost ? null : await database.query(text, values)),
      onError: () => {},
      onSilence: () => {
        silences += 1
      },
      probeMs: 50,
    })
    onTestFinished(() => notifications.close())
    notifications.listen(
      'void_test',
      (payload) => heard.push(payload),
      () => {
        gaps += 1
      },
    )

    await expect.poll(() => gaps).toBeGreaterThan(2)
    expect(silences).toBe(1)

    lost = false
    await expect
      .poll(() => {
        notifications.notify('void_test', 'again')
        return heard.length
      })
      .toBeGreaterThan(0)
    // From here on it hears, so it is told of no more gaps: two looks later there are none.
    await expect
      .poll(async () => {
        const before = gaps
        for (let word = 0; word < 5; word += 1) await database.query('select pg_sleep(0.05)')
        return gaps - before
      })
      .toBe(0)
  })
})

const programs = findPostgres()
const pgbouncer = findPgbouncer()

describe.runIf(programs && pgbouncer)('behind PgBouncer in transaction mode', () => {
  let cluster: Cluster
  let pooler: Pooler
  let pooled: string

  beforeAll(async () => {
    cluster = await createCluster(programs!)
    await cluster.start()
    pooler = await startPgbouncer(pgbouncer!, cluster)
    pooled = `postgres://postgres@127.0.0.1:${pooler.port}/postgres`
  })

  afterAll(async () => {
    await pooler?.stop()
    cluster?.remove()
  })

  test('words arrive on a direct connection', async () => {
    const database = await openDatabase({ url: pooled, directUrl: cluster.url })
    onTestFinished(() => database.close())
    const heard: string[] = []
    database.notifications.listen('void_test', (payload) => heard.push(payload))

    await expect
      .poll(() => {
        database.notifications.notify('void_test', 'hello')
        return heard
      })
      .toContain('hello')
  })

  test('through the pooler none may arrive, and listeners are told that they have to look', async () => {
    const database = await openDatabase({ url: pooled })
    onTestFinished(() => database.close())
    let gaps = 0
    const notifications = createPostgresNotifications({
      url: pooled,
      query: database.query,
      onError: () => {},
      probeMs: 50,
    })
    onTestFinished(() => notifications.close())
    notifications.listen(
      'void_test',
      () => {},
      () => {
        gaps += 1
      },
    )

    await expect.poll(() => gaps).toBeGreaterThan(1)
  })

  test('statements of two servers that prepare them by mistake give what each asked for', async () => {
    const servers = await Promise.all([1, 2].map(() => openDatabase({ url: pooled, maxConnections: 4 })))
    onTestFinished(async () => {
      for (const server of servers) await server.close()
    })
    for (let round = 0; round < 20; round += 1) {
      const asked = servers.flatMap((server, n) =>
        [1, 2, 3].map((add) => server.query(`select $1::integer + ${add * 10 + n} as sum`, [round])),
      )
      const sums = (await Promise.all(asked)).map(({ rows }) => rows[0]?.sum)
      expect(sums).toEqual([10, 20, 30, 11, 21, 31].map((add) => add + round))
    }
  })

  test('what a transaction sets ends with it, whoever has the connection next', async () => {
    const database = await openDatabase({ url: pooled, maxConnections: 4 })
    onTestFinished(() => database.close())
    const sets = Array.from({ length: 20 }, () =>
      database.transaction((tx) => tx.query("select set_config('application_name', 'mine', true)")),
    )
    await Promise.all(sets)

    const seen = await Promise.all(
      Array.from({ length: 20 }, () => database.query("select current_setting('application_name') as name")),
    )

    expect(seen.flatMap(({ rows }) => rows).filter(({ name }) => name === 'mine')).toEqual([])
  })
})
