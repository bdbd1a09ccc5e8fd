// What the clock does with routines: late, in quiet hours, when it jumps, when runs fail, and with a thousand at once.

import { describe, expect, test } from 'vitest'
import { ModelError } from '../../../lib/ai/model.ts'
import { createRoutinesRepo } from '../../../lib/db/repos/routines.ts'
import { testDb } from '../../helpers/test-db.ts'
import { type Clock, createServer, makeRoutine, makeSpace, runsOf, tick } from './clockwork.ts'

const database = await testDb()
const daily = 'FREQ=DAILY;BYHOUR=9;BYMINUTE=0'
const clockAt = (time: string): Clock => ({ now: new Date(time) })
const dues = async (id: string) =>
  (await runsOf(database, id)).map(({ due_at, status }) => [new Date(due_at).toISOString(), status])
const find = async (id: string) => (await createRoutinesRepo(database).find(id))!

/** As many looks at the clock as it takes for a run to be started and settled. */
async function settle(server: ReturnType<typeof createServer>): Promise<void> {
  for (let times = 0; times < 3; times += 1) await tick(server)
}

describe('a time that was missed', () => {
  test('runs once, late, however many there were', async () => {
    const clock = clockAt('2026-06-01T00:00:00Z')
    const server = createServer(database, clock)
    const { id } = await makeRoutine(database, await makeSpace(database), { rule: daily, now: clock.now })
    clock.now = new Date('2026-06-10T20:00:00Z')
    await settle(server)

    expect(await dues(id)).toEqual([['2026-06-10T07:00:00.000Z', 'done']])
    expect(new Date((await find(id)).next_due_at!).toISOString()).toBe('2026-06-11T07:00:00.000Z')
  })

  test('does not run on another weekday', async () => {
    const clock = clockAt('2026-06-01T00:00:00Z')
    const server = createServer(database, clock)
    const rule = 'FREQ=WEEKLY;BYDAY=FR;BYHOUR=17;BYMINUTE=0'
    const { id } = await makeRoutine(database, await makeSpace(database), { rule, now: clock.now })
    clock.now = new Date('2026-06-06T09:00:00Z')
    await settle(server)

    expect(await dues(id)).toEqual([['2026-06-05T15:00:00.000Z', 'skipped']])
  })

  test('does not run in a routine that was switched off, nor when it is on again', async () => {
    const clock = clockAt('2026-06-01T00:00:00Z')
    const server = createServer(database, clock)
    const { id } = await makeRoutine(database, await makeSpace(database), { rule: daily, now: clock.now })
    await createRoutinesRepo(database).update(id, { enabled: false })
    clock.now = new Date('2026-06-03T20:00:00Z')
    await settle(server)

    expect(await dues(id)).toEqual([])
  })

  test('waits for the end of quiet hours', async () => {
    const clock = clockAt('2026-06-01T00:00:00Z')
    const server = createServer(database, clock)
    const quiet = { quiet_from: '10:00', quiet_until: '12:00' }
    const { id } = await makeRoutine(database, await makeSpace(database), {
      rule: daily,
      now: clock.now,
      ...quiet,
    })
    clock.now = new Date('2026-06-01T08:30:00Z')
    await settle(server)
    const early = await dues(id)
    clock.now = new Date('2026-06-01T10:01:00Z')
    await settle(server)

    expect(early).toEqual([])
    expect(await dues(id)).toEqual([['2026-06-01T07:00:00.000Z', 'done']])
  })
})

test('a clock that was ahead for a while loses no later time and repeats none', async () => {
  const clock = clockAt('2026-06-01T06:00:00Z')
  const server = createServer(database, clock)
  const { id } = await makeRoutine(database, await makeSpace(database), { rule: daily, now: clock.now })
  clock.now = new Date('2026-06-20T07:00:00Z')
  await settle(server)
  clock.now = new Date('2026-06-01T07:00:00Z')
  await settle(server)
  clock.now = new Date('2026-06-02T07:00:00Z')
  await settle(server)
  clock.now = new Date('2026-06-20T07:00:30Z')
  await settle(server)

  const due = (await dues(id)).map(([at]) => at)
  expect(due).toContain('2026-06-02T07:00:00.000Z')
  expect(due.filter((at) => at === '2026-06-20T07:00:00.000Z').length).toBe(1)
})

describe('a run that fails', () => {
  const failing = (clock: Clock) => {
    const server = createServer(database, clock)
    const { start } = server.deps.companion
    server.deps.companion.start = async (actor, request) => {
      const turn = await start(actor, request)
      const error = JSON.stringify({ code: 'model_failed', message: 'No such model: m-1.', retryable: false })
      await database.query("update turns set status = 'failed', error = $2 where id = $1", [turn.id, error])
      return turn
    }
    return server
  }

  test('is tried again after growing pauses, and switches the routine off after three', async () => {
    const clock = clockAt('2026-06-01T06:00:00Z')
    const server = failing(clock)
    const { id } = await makeRoutine(database, await makeSpace(database), { rule: daily, now: clock.now })
    const seen: [number, boolean][] = []
    for (const time of ['07:00', '07:04', '07:06', '07:30', '07:40']) {
      clock.now = new Date(`2026-06-01T${time}:00Z`)
      await settle(server)
      const [run] = await runsOf(database, id)
      seen.push([run!.attempt, (await find(id)).enabled])
    }

    expect(seen).toEqual([
      [1, true],
      [1, true],
      [2, true],
      [2, true],
      [3, false],
    ])
    expect((await find(id)).paused_reason).toBe('It failed: No such model: m-1.')
    expect(await dues(id)).toEqual([['2026-06-01T07:00:00.000Z', 'failed']])
  })

  test('for want of its companion switches it off at once', async () => {
    const clock = clockAt('2026-06-01T06:00:00Z')
    const server = createServer(database, clock)
    const { notFound } = await import('../../../lib/core/errors.ts')
    server.deps.companion.agent = async () => {
      throw notFound('companion', 'x')
    }
    const { id } = await makeRoutine(database, await makeSpace(database), { rule: daily, now: clock.now })
    clock.now = new Date('2026-06-01T07:00:00Z')
    await settle(server)

    expect(await find(id)).toMatchObject({ enabled: false })
    expect((await find(id)).paused_reason).toContain('companion')
  })

  test('because the server is stopping is left to the next one', async () => {
    const clock = clockAt('2026-06-01T06:00:00Z')
    const server = createServer(database, clock)
    const { shuttingDown } = await import('../../../lib/core/errors.ts')
    const stopping = {
      ...server,
      deps: {
        ...server.deps,
        companion: { ...server.deps.companion, start: async () => Promise.reject(shuttingDown()) },
      },
    }
    const { id } = await makeRoutine(database, await makeSpace(database), { rule: daily, now: clock.now })
    clock.now = new Date('2026-06-01T07:00:00Z')
    await tick(stopping)
    await settle(server)

    expect(await dues(id)).toEqual([['2026-06-01T07:00:00.000Z', 'done']])
  })
})

test.each([
  ['the budget of the server', { refusal: 'Used up.' }, {}],
  ['a budget of nothing', {}, { budget_usd: 0 }],
  ['the budget of the day', {}, { daily_budget_usd: 0 }],
])('%s skips it without a turn', async (_, { refusal = null }: { refusal?: string | null }, given) => {
  const clock = clockAt('2026-06-01T06:00:00Z')
  const server = createServer(database, clock)
  server.deps.budget = { refusal: async () => refusal }
  const { id } = await makeRoutine(database, await makeSpace(database), {
    rule: daily,
    now: clock.now,
    ...given,
  })
  clock.now = new Date('2026-06-01T07:00:00Z')
  await settle(server)

  const [run] = await runsOf(database, id)
  expect(run).toMatchObject({ status: 'skipped', turn_id: null })
  expect(run!.problem).toContain('budget')
})

test('without a model it says so once', async () => {
  const clock = clockAt('2026-06-01T06:00:00Z')
  const server = createServer(database, clock)
  const callModel = async () => Promise.reject(new ModelError('model_failed', 'none', { retryable: false }))
  server.deps.models = { current: () => ({ mode: 'offline', name: 'offline', callModel }) }
  const { start } = server.deps.companion
  server.deps.companion.start = async (actor, request) => {
    const turn = await start(actor, request)
    await database.query("update turns set model = 'offline' where id = $1", [turn.id])
    return turn
  }
  const { id } = await makeRoutine(database, await makeSpace(database), { rule: daily, now: clock.now })
  for (const day of ['01', '02', '03']) {
    clock.now = new Date(`2026-06-${day}T07:00:00Z`)
    await settle(server)
  }

  expect((await dues(id)).map(([, status]) => status)).toEqual(['failed', 'skipped', 'skipped'])
  expect((await find(id)).enabled).toBe(true)
})

describe('runs that never end', () => {
  async function makeStuck() {
    await database.query('update routines set enabled = false')
    await database.query("update routine_runs set status = 'failed', ended_at = now() where status is null")
    const clock = clockAt('2026-06-01T06:00:00Z')
    const server = createServer(database, clock)
    const { start } = server.deps.companion
    const stopped: string[] = []
    const hanging = new Set<string>()
    server.deps.companion.stop = async (id) => {
      stopped.push(id)
      return await new Promise<never>(() => {})
    }
    server.deps.companion.start = async (actor, request) => {
      const turn = await start(actor, request)
      if (hanging.has(request.message.routine!.routine_id))
        await database.query("update turns set status = 'running', finished_at = null where id = $1", [
          turn.id,
        ])
      return turn
    }
    const space = await makeSpace(database)
    for (let n = 0; n < 4; n += 1)
      hanging.add((await makeRoutine(database, space, { rule: daily, now: clock.now })).id)
    const { id } = await makeRoutine(database, space, { rule: daily, now: clock.now })
    clock.now = new Date('2026-06-01T07:00:00Z')
    await settle(server)
    return { clock, server, stopped, hanging: [...hanging], id }
  }

  test('hold up no other for long', async () => {
    const { clock, server, id } = await makeStuck()
    const early = await dues(id)
    clock.now = new Date('2026-06-01T07:03:00Z')
    await settle(server)

    expect(early).toEqual([])
    expect(await dues(id)).toEqual([['2026-06-01T07:00:00.000Z', 'done']])
  })

  test('are stopped and have failed, on whichever server looks', async () => {
    const { clock, stopped, hanging } = await makeStuck()
    clock.now = new Date('2026-06-01T07:11:00Z')
    const other = createServer(database, clock)
    const { stop } = other.deps.companion
    other.deps.companion.stop = async (id) => {
      stopped.push(id)
      await database.query("update turns set status = 'stopped', finished_at = now() where id = $1", [id])
      return await stop(id)
    }
    await settle(other)

    for (const id of hanging) {
      const [run] = await runsOf(database, id)
      expect(run).toMatchObject({ status: 'failed', problem: 'It took too long.', attempt: 1 })
      expect(stopped).toContain(run!.turn_id)
    }
    clock.now = new Date('2026-06-01T07:17:00Z')
    await settle(other)
    expect(await dues(hanging[0]!)).toEqual([['2026-06-01T07:00:00.000Z', 'done']])
  })
})

test('three hundred at once run a few at a time, each once, and idle ones cost one statement', async () => {
  await database.query('update routines set enabled = false')
  const clock = clockAt('2026-06-01T06:00:00Z')
  const servers = [createServer(database, clock), createServer(database, clock)]
  const space = await makeSpace(database)
  const made = await Promise.all(
    Array.from({ length: 300 }, () => makeRoutine(database, space, { rule: daily, now: clock.now })),
  )
  expect(await createRoutinesRepo(database).isAnyDue(clock.now)).toBe(false)
  clock.now = new Date('2026-06-01T07:00:00Z')
  for (let times = 0; times < 200; times += 1) {
    await Promise.all(servers.map(tick))
    if (!(await createRoutinesRepo(database).isAnyDue(clock.now))) break
  }

  const { rows } = await database.query<{ count: number }>(
    `select count(*)::integer as count
     from routine_runs
     where status = 'done' and routine_id = any($1)`,
    [made.map(({ id }) => id)],
  )
  expect(rows[0]!.count).toBe(300)
})
