// The embedded database in its thread, whatever database the other tests run on.

import { once } from 'node:events'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { Worker } from 'node:worker_threads'
import { afterAll, expect, inject, onTestFinished, test, vi } from 'vitest'
import { type Database, type DatabaseOptions, openDatabase } from '../../lib/db/pool.ts'
import { makeDataFolder } from '../helpers/data-folder.ts'

const open = () => openDatabase({ dump: inject('pgliteTemplate') })
const db = await open()
afterAll(() => db.close())

/** A good part of a second of work. */
const long = 'select count(*) as counted from generate_series(1, 400000)'

/** A database and the thread that it runs in. */
async function openWithThread(options: DatabaseOptions) {
  const begun = once(process, 'worker')
  const opening = openDatabase(options)
  const [thread] = (await begun) as [Worker]
  return { database: await opening, thread }
}

const valuesOf = async (database: Database) =>
  (await database.query<{ value: string }>('select value from log order by id')).rows.map(
    ({ value }) => value,
  )

test('a statement that takes long leaves the event loop to others', async () => {
  const order: string[] = []
  const running = db.query(long).then(() => order.push('answered'))

  for (let turn = 0; turn < 10; turn += 1) {
    await new Promise(setImmediate)
    order.push('turn')
  }
  await running

  expect(order).toEqual([...Array.from({ length: 10 }, () => 'turn'), 'answered'])
})

test('statements are answered in the order in which they were sent, each with its own rows or its own error', async () => {
  const answers = Array.from({ length: 300 }, (_, n) =>
    n % 7 === 3
      ? db.query('select 1 / $1::integer as n', [0]).catch(({ message }: Error) => message)
      : db.query<{ n: number }>('select $1::integer as n', [n]).then(({ rows }) => rows[0]?.n),
  )

  expect(await Promise.all(answers)).toEqual(answers.map((_, n) => (n % 7 === 3 ? 'division by zero' : n)))
})

test('a transaction has the connection for itself: what comes meanwhile runs after it', async () => {
  await db.query('create table log (id serial, value text)')
  const log = (value: string) => db.query('insert into log (value) values ($1)', [value])

  const before = log('before')
  const within = db.transaction(async (tx) => {
    await tx.query('insert into log (value) values ($1)', ['first'])
    later.push(log('after'))
    await new Promise(setImmediate)
    await tx.query('insert into log (value) values ($1)', ['second'])
  })
  const later: Promise<unknown>[] = []
  await Promise.all([before, within])
  await Promise.all(later)

  expect(await valuesOf(db)).toEqual(['before', 'first', 'second', 'after'])
})

test('a transaction gets its turn while statements keep coming', async () => {
  let done = false
  const transaction = db.transaction((tx) => tx.query('select')).then(() => (done = true))

  // Before one is answered the next is sent, so that there is always one on its way.
  let last: Promise<unknown> = db.query('select')
  let sent = 1
  while (!done && sent < 1000) {
    const next = db.query('select')
    await last
    last = next
    sent += 1
  }
  await Promise.all([last, transaction])

  expect(sent).toBeLessThan(1000)
})

test('a large text goes there and comes back whole', async () => {
  const text = Array.from({ length: 400_000 }, (_, n) => `line ${n} é\n`).join('')

  const { rows } = await db.query<{ same: string; md5: string }>('select $1::text as same, md5($1) as md5', [
    text,
  ])

  expect(rows[0]!.same === text).toBe(true)
  expect(rows[0]!.md5).toMatch(/^[0-9a-f]{32}$/)
})

test('what was sent before a close is answered', async () => {
  const database = await open()
  const sent = [1, 2, 3].map((n) => database.query<{ n: number }>('select $1::integer as n', [n]))

  await database.close()

  expect((await Promise.all(sent)).map(({ rows }) => rows[0]!.n)).toEqual([1, 2, 3])
})

test('a thread that ends is told of, and whoever waits for it gets an error, as everybody who comes later', async () => {
  const ends: unknown[] = []
  const onEngineEnd = (error: unknown) => ends.push(error)
  const { database, thread } = await openWithThread({ dump: inject('pgliteTemplate'), onEngineEnd })

  const waiting = [
    database.query(long),
    database.query('select'),
    database.transaction((tx) => tx.query('select')),
  ]
  const refused = waiting.map((answer) => expect(answer).rejects.toThrow(/embedded database/))
  await thread.terminate()
  await Promise.all(refused)

  await expect(database.query('select')).rejects.toThrow(/embedded database/)
  await database.close()
  expect(ends).toEqual([expect.objectContaining({ message: expect.stringContaining('ended with code') })])
})

test('a thread that owes an answer for half an hour is ended, and told of', async () => {
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] })
  onTestFinished(() => void vi.useRealTimers())
  const ends: unknown[] = []
  const onEngineEnd = (error: unknown) => ends.push(error)
  const { database, thread } = await openWithThread({ dump: inject('pgliteTemplate'), onEngineEnd })
  const gone = once(thread, 'exit')
  vi.advanceTimersByTime(1_790_000)
  await database.query('select')

  const sent = vi.spyOn(thread, 'postMessage')
  const endless = expect(
    database.query('with recursive n as (select 1 union all select 1 from n) select count(*) from n'),
  ).rejects.toThrow(/embedded database/)
  while (sent.mock.calls.length === 0) await new Promise(setImmediate)
  vi.advanceTimersByTime(1_790_000)
  expect(ends).toEqual([])
  vi.advanceTimersByTime(20_000)
  await endless
  await gone

  expect(ends).toEqual([expect.objectContaining({ message: expect.stringContaining('has not answered') })])
  await database.close()
})

test('a store that cannot be opened is said as such', async () => {
  await expect(openDatabase({ dump: '/nowhere.tar' })).rejects.toThrow(/Unable to open/)
})

test('an engine that cannot write its log reports its end', async () => {
  const ends: unknown[] = []
  const folder = makeDataFolder(await mkdtemp(join(tmpdir(), 'void-engine-')))
  const store = join(folder, 'store')
  const onEngineEnd = (error: unknown) => ends.push(error)
  const { database, thread } = await openWithThread({ folder: store, onEngineEnd })
  await rm(join(store, 'pg_wal'), { recursive: true })

  await database.query('select pg_switch_wal()')
  await expect(database.query('create table never (id integer)')).rejects.toMatchObject({ severity: 'PANIC' })

  expect(ends).toEqual([expect.objectContaining({ severity: 'PANIC' })])
  await thread.terminate()
  await rm(folder, { recursive: true })
})
