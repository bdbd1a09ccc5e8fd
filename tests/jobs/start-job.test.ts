import { expect, test } from 'vitest'
import { storageFull } from '../../lib/core/errors.ts'
import { createLogger } from '../../lib/core/logger.ts'
import { type Job, startJob } from '../../lib/jobs/start-job.ts'
import { mortal } from '../helpers/servers.ts'
import { testDb } from '../helpers/test-db.ts'

const db = await testDb()
const logger = createLogger('silent')
const start = (job: Partial<Job> & Pick<Job, 'name' | 'run'>, database = db) =>
  startJob({ database, logger }, { everyMs: 5, ...job })

const expireLease = (name: string) =>
  db.query("update job_leases set lease_until = now() - interval '1 second' where name = $1", [name])

/** Resolves when the signal aborts, as a job does that was told to stop. */
const untilAborted = (signal: AbortSignal) =>
  new Promise<void>((resolve) => signal.addEventListener('abort', () => resolve(), { once: true }))

test('two servers take turns, and never run the same job at once', async () => {
  let running = 0
  let most = 0
  const rounds = new Map([
    ['first', 0],
    ['second', 0],
  ])
  const run = (server: string) => async () => {
    running += 1
    most = Math.max(most, running)
    await db.query('select')
    running -= 1
    rounds.set(server, rounds.get(server)! + 1)
  }
  const stops = ['first', 'second'].map((server) => start({ name: 'shared', run: run(server) }))

  await expect.poll(() => Math.min(...rounds.values()), { timeout: 20_000 }).toBeGreaterThan(5)
  await Promise.all(stops.map((stop) => stop()))

  expect(most).toBe(1)
})

test('jobs of different names run at once', async () => {
  let running = 0
  const run = async (signal: AbortSignal) => {
    running += 1
    await untilAborted(signal)
  }
  const stops = ['one', 'other'].map((name) => start({ name, run }))

  await expect.poll(() => running).toBe(2)

  await Promise.all(stops.map((stop) => stop()))
})

test('another server goes on when the lease of a killed one has expired, and not before', async () => {
  const { database, kill } = mortal(db)
  let begun = false
  const stopKilled = start(
    {
      name: 'taken-over',
      run: async (signal) => {
        begun = true
        await untilAborted(signal)
      },
    },
    database,
  )
  await expect.poll(() => begun).toBe(true)
  kill()
  let looked = 0
  let ran = 0
  const stop = start({
    name: 'taken-over',
    isDue: async () => ++looked > 0,
    run: async () => ++ran,
  })
  await expect.poll(() => looked).toBeGreaterThan(5)
  expect(ran).toBe(0)

  await expireLease('taken-over')

  await expect.poll(() => ran).toBeGreaterThan(0)
  await stop()
  void stopKilled()
})

test('a job that is woken begins its next round at once, also when it was at work then', async () => {
  let wake = () => {}
  let rounds = 0
  const onStart = (begin: () => void) => {
    wake = begin
  }
  const run = async () => {
    rounds += 1
    if (rounds === 2) wake()
  }
  const stop = start({ name: 'woken', everyMs: 3_600_000, onStart, run })
  await expect.poll(() => rounds).toBe(1)

  wake()

  await expect.poll(() => rounds).toBe(3)
  await stop()
})

test('a server that has lost its lease stops what it does', async () => {
  let aborted = false
  let rounds = 0
  const stop = start({
    name: 'lost',
    run: async (signal) => {
      rounds += 1
      if (rounds > 1) return
      await untilAborted(signal)
      aborted = true
    },
  })
  await expect.poll(() => rounds).toBe(1)

  await db.query("update job_leases set owner = gen_random_uuid() where name = 'lost'")

  await expect.poll(() => aborted, { timeout: 10_000 }).toBe(true)
  await stop()
})

test('a round longer than its lease keeps the lease', async () => {
  const { rows: before } = await db.query<{ at: string }>('select now() as at')
  let begun = false
  const stop = start({
    name: 'long',
    run: async (signal) => {
      begun = true
      await untilAborted(signal)
    },
  })
  await expect.poll(() => begun).toBe(true)
  const leaseUntil = async () => {
    const { rows } = await db.query<{ seconds: number }>(
      "select extract(epoch from lease_until - $1::timestamptz)::float8 as seconds from job_leases where name = 'long'",
      [before[0]!.at],
    )
    return rows[0]!.seconds
  }
  const first = await leaseUntil()

  await expect.poll(leaseUntil, { timeout: 10_000 }).toBeGreaterThan(first + 2)

  await stop()
})

test('a job that is stopped ends its round and releases its lease', async () => {
  const ended: string[] = []
  const stop = start({
    name: 'stopped',
    run: async (signal) => {
      await untilAborted(signal)
      ended.push('round')
    },
  })
  await expect
    .poll(async () => (await db.query("select from job_leases where name = 'stopped'")).rowCount)
    .toBe(1)

  await stop()

  expect(ended).toEqual(['round'])
  let ran = false
  const stopNext = start({ name: 'stopped', run: async () => (ran = true) })
  await expect.poll(() => ran).toBe(true)
  await stopNext()
})

test('a round that fails is logged and tried again', async () => {
  const problems: object[] = []
  const noisy = createLogger('silent')
  noisy.warn = (about: object) => problems.push(about)
  let rounds = 0
  const run = async () => {
    rounds += 1
    if (rounds <= 2) throw new Error(`no luck ${rounds}`)
  }
  const stop = startJob({ database: db, logger: noisy }, { name: 'failing', everyMs: 5, run })

  await expect.poll(() => rounds).toBeGreaterThan(3)
  await stop()

  expect(problems).toEqual([
    { err: new Error('no luck 1'), job: 'failing', failures: 1 },
    { err: new Error('no luck 2'), job: 'failing', failures: 2 },
  ])
})

test('a round is not run while the disk is full, and is once there is space', async () => {
  let full = true
  let asked = 0
  let rounds = 0
  const checkRoom = async () => {
    asked += 1
    if (full) throw storageFull()
  }
  const stop = start({ name: 'storing', run: async () => ++rounds }, { ...db, checkRoom })
  await expect.poll(() => asked).toBeGreaterThan(2)
  expect(rounds).toBe(0)

  full = false

  await expect.poll(() => rounds).toBeGreaterThan(0)
  await stop()
})

test('where nothing is due, nothing is written', async () => {
  let looked = 0
  const stop = start({
    name: 'idle',
    isDue: async () => ++looked === 0,
    run: async () => {
      throw new Error('not due')
    },
  })

  await expect.poll(() => looked).toBeGreaterThan(3)
  await stop()

  expect((await db.query("select from job_leases where name = 'idle'")).rowCount).toBe(0)
})
