// The pool and its failures. The tests with a server in the middle run where there is a real Postgres.

import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { describe, expect, inject, onTestFinished, test } from 'vitest'
import { migrate } from '../../lib/db/migrate.ts'
import { type Database, openDatabase, type Queryable } from '../../lib/db/pool.ts'
import { analyzeAllTables } from '../../lib/db/repos/maintenance.ts'
import { directUrlOf } from '../helpers/direct-url.ts'
import { openGate } from '../helpers/gate.ts'
import { rowsVisited } from '../helpers/rows-visited.ts'
import { testDb } from '../helpers/test-db.ts'

const db = await testDb()
const postgres = inject('postgresTemplate')

/** One whose statements are prepared, on one connection: not through a pooler, which would lend it another session. */
async function preparing(): Promise<Database> {
  const own = await testDb()
  if (own.engine === 'pglite') return own
  const url = own.pool.options.connectionString ?? ''
  const database = await openDatabase({ url: directUrlOf(url) ?? url, maxConnections: 1 })
  onTestFinished(() => database.close())
  return database
}

test('a transaction that throws leaves nothing behind, and the connection is fit for use', async () => {
  const failing = db.transaction(async (tx) => {
    await tx.query(
      "insert into spaces (id, slug, name, created_by, updated_by) values (gen_random_uuid(), 'half', 'Half', 'x', 'x')",
    )
    throw new Error('changed my mind')
  })

  await expect(failing).rejects.toThrow('changed my mind')
  expect((await db.query("select from spaces where slug = 'half'")).rows).toEqual([])
})

test('what a transaction asks for after its commit happens then, once for each key, and never after a rollback', async () => {
  const happened: string[] = []

  await db.transaction(async (tx) => {
    tx.afterCommit(() => happened.push('counted too early'), 'count')
    tx.afterCommit(async () => {
      const { rows } = await db.query<{ word: string }>("select 'asked' as word")
      happened.push(rows[0]!.word)
    })
    tx.afterCommit(() => happened.push('counted'), 'count')
    expect(happened).toEqual([])
  })
  const broken = db.transaction(async (tx) => {
    tx.afterCommit(() => happened.push('never'))
    throw new Error('rolled back')
  })

  await expect(broken).rejects.toThrow('rolled back')
  expect(happened).toEqual(['asked', 'counted'])
})

test('a statement that fails inside a transaction is rolled back and the next one works', async () => {
  await expect(db.transaction((tx) => tx.query('select nonsense'))).rejects.toThrow(/nonsense/)

  expect((await db.transaction((tx) => tx.query('select 1 as one'))).rows).toEqual([{ one: 1 }])
})

test('a transaction asks several things at once, without a warning, and one that fails costs none before it its answer', async () => {
  const warnings: string[] = []
  const note = ({ name, message }: Error) => warnings.push(`${name}: ${message}`)
  process.on('warning', note)
  const ask = (tx: Queryable, n: number) => tx.query('select 1 / $1::integer as given', [n])

  const { rows } = await db.transaction(async (tx) => {
    const [first, second] = await Promise.all([ask(tx, 1), tx.query('select 2 as given')])
    return { rows: [...first.rows, ...second.rows] }
  })
  const settled = await db.transaction((tx) => Promise.allSettled([ask(tx, 1), ask(tx, 0), ask(tx, 1)]))
  // A warning is told in a later turn of the loop.
  await new Promise(setImmediate)
  process.off('warning', note)

  expect(rows).toEqual([{ given: 1 }, { given: 2 }])
  expect(settled.map(({ status }) => status)).toEqual(['fulfilled', 'rejected', 'rejected'])
  expect(warnings).toEqual([])
})

test('a statement that fails outside of a transaction does not cost the connection, prepared or not', async () => {
  for (let round = 0; round < 3; round += 1) {
    await expect(db.query('select 1 / $1::integer', [0])).rejects.toThrow(/division by zero/)
    await expect(db.query('select nonsense, $1', [0])).rejects.toThrow(/nonsense/)
    await expect(db.query('select nonsense')).rejects.toThrow(/nonsense/)
    expect((await db.query('select $1::integer as given', [round])).rows).toEqual([{ given: round }])
  }
})

// As after a migration by another server, and as behind a pooler that keeps no statements.
test.each([
  ['whose result has other columns now', 'alter table given add column b integer default 2'],
  ['whose name its connection has forgotten', 'deallocate all'],
])('a prepared statement %s is asked again', async (_, change) => {
  const database = await preparing()
  await database.query('create table given (a integer default 1)')
  await database.query('insert into given default values')
  const ask = (db: Queryable) => db.query('select * from given where a = $1', [1])
  expect((await ask(database)).rows).toEqual([{ a: 1 }])
  await database.query(change)

  const expected = change.startsWith('alter') ? { a: 1, b: 2 } : { a: 1 }
  expect((await ask(database)).rows).toEqual([expected])
  expect((await database.transaction(ask)).rows).toEqual([expected])
})

test('in a transaction, such a statement is a 503, and works when all is done again', async () => {
  const database = await preparing()
  const ask = (tx: Queryable) => tx.query('select $1::integer as given', [3])
  await database.transaction(ask)
  await database.query('deallocate all')

  await expect(database.transaction(ask)).rejects.toMatchObject({ status: 503, code: 'database_unavailable' })
  expect((await database.transaction(ask)).rows).toEqual([{ given: 3 }])
})

test('a prepared statement does not keep the plan that was made while its table was small', async () => {
  const database = await preparing()
  await database.query('create table grown (id integer, word text)')
  await database.query('create index on grown (id)')
  await database.query("insert into grown values (0, 'first')")
  await analyzeAllTables(database)
  const find = (db: Queryable) => db.query('select word from grown where id = $1', [0])
  for (let times = 0; times < 10; times += 1) await find(database)
  await database.query("insert into grown select n, repeat('x', 100) from generate_series(1, 5000) as n")

  expect(await rowsVisited(database, 'grown', find)).toBe(5001)
  await analyzeAllTables(database)
  expect(await rowsVisited(database, 'grown', find)).toBe(1)
})

test('a connection that was given up in the middle of a transaction is followed by a clean one', async () => {
  const client = await db.pool.connect()
  await client.query('begin')
  await expect(client.query('select nonsense')).rejects.toThrow(/nonsense/)
  client.release(new Error('given up'))

  for (const given of [1, 2]) {
    expect((await db.query('select $1::integer as given', [given])).rows).toEqual([{ given }])
  }
})

test('times come as ISO text, dates as days, counts as numbers', async () => {
  const { rows } = await db.query(
    "select timestamptz '2030-01-02 03:04:05.678+02' as at, date '2030-01-02' as day, count(*) as count",
  )

  expect(rows).toEqual([{ at: '2030-01-02T01:04:05.678Z', day: '2030-01-02', count: 1 }])
})

test('migrating again does nothing', async () => {
  expect(await migrate(db)).toEqual([])
})

test('of migrations that run together all stay or none', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'void-migrations-'))
  await writeFile(join(folder, '901_good.sql'), 'create table good (id integer);')
  await writeFile(join(folder, '902_bad.sql'), 'create table bad (id nonsense);')

  await expect(migrate(db, { folders: [folder] })).rejects.toThrow(/nonsense/)

  expect((await db.query("select to_regclass('good') as found")).rows).toEqual([{ found: null }])
  expect(await migrate(db)).toEqual([])
  await rm(folder, { recursive: true })
})

test('a server that is not there is a 503', async () => {
  const nowhere = await openDatabase({ url: 'postgres://nobody@127.0.0.1:9/none' })

  await expect(nowhere.query('select 1')).rejects.toMatchObject({ status: 503, code: 'database_unavailable' })
  await expect(nowhere.transaction(async () => {})).rejects.toMatchObject({ status: 503 })
  await nowhere.close()
})

describe.runIf(postgres)('on a Postgres server', () => {
  const fresh = async <Result>(use: (url: string) => Promise<Result>): Promise<Result> => {
    const { url } = postgres!
    const admin = await openDatabase({ url })
    const name = `void_empty_${process.pid}_${Math.floor(performance.now())}`
    await admin.query(`create database ${name}`)
    const target = new URL(url)
    target.pathname = `/${name}`
    try {
      return await use(target.href)
    } finally {
      await admin.query(`drop database ${name} with (force)`)
      await admin.close()
    }
  }

  test('two servers that start at once migrate once', async () => {
    await fresh(async (url) => {
      const servers = await Promise.all([1, 2, 3].map(() => openDatabase({ url })))

      const ran = await Promise.all(servers.map((server) => migrate(server)))

      expect(ran.filter((names) => names.length > 0)).toHaveLength(1)
      expect((await servers[0]!.query('select slug from agents')).rows).toEqual([{ slug: 'companion' }])
      for (const server of servers) await server.close()
    })
  })

  test('a migration that waits for a table fails before everybody else waits behind it', async () => {
    await fresh(async (url) => {
      const [server, other] = await Promise.all([1, 2].map(() => openDatabase({ url })))
      await migrate(server!)
      const folder = await mkdtemp(join(tmpdir(), 'void-migrations-'))
      await writeFile(join(folder, '901_waits.sql'), 'alter table pages add column kind text;')

      await other!.transaction(async (tx) => {
        await tx.query('lock table pages in access share mode')
        const waiting = migrate(server!, { folders: [folder], maxLockSeconds: 1 })
        await expect(waiting).rejects.toThrow(/lock timeout/)
        expect((await tx.query('select count(*) as count from pages')).rows).toEqual([{ count: 0 }])
      })

      expect(await migrate(server!, { folders: [folder] })).toEqual(['901_waits'])
      await Promise.all([server!.close(), other!.close(), rm(folder, { recursive: true })])
    })
  })

  test('connections killed while idle and while checked out do not end the process', async () => {
    const broken: Error[] = []
    const pool = await openDatabase({ url: postgres!.url, onConnectionError: (error) => broken.push(error) })
    // Past a pooler, which might lend it the very connection that it ends.
    const admin = await openDatabase({ url: directUrlOf(postgres!.url) ?? postgres!.url })
    await pool.query('select 1')
    await killOthers(admin, pool)

    const held = pool.transaction(async (tx) => {
      await killOthers(admin, tx)
      await tx.query('select 1')
    })

    await expect(held).rejects.toMatchObject({ status: 503 })
    await expect.poll(async () => (await pool.query('select 1 as one')).rows).toEqual([{ one: 1 }])
    expect(broken.length).toBeGreaterThan(0)
    await pool.close()
    await admin.close()
  })

  test('a database that goes away and comes back is 503 in between and serves again by itself', async () => {
    const gate = await openGate(new URL(postgres!.url))
    const url = new URL(postgres!.url)
    url.port = String(gate.port)
    const pool = await openDatabase({ url: url.href })
    const one = () => pool.query('select 1 as one')
    await one()

    await gate.close()
    await expect(one()).rejects.toMatchObject({ status: 503 })
    await gate.open()

    await expect.poll(async () => (await one()).rows).toEqual([{ one: 1 }])
    await pool.close()
    await gate.close()
  })
})

async function killOthers(admin: Database, victim: Pick<Database, 'query'>): Promise<void> {
  const { rows } = await victim.query<{ pid: number }>('select pg_backend_pid() as pid')
  await admin.query('select pg_terminate_backend($1)', [rows[0]!.pid])
}
