// Routines that could never be right: times that never come, what they need gone, nothing to spend, clocks that jump, runs
// that go round in circles, and more of them than a Space takes.

import { beforeEach, describe, expect, test } from 'vitest'
import { ModelError, type ModelRequest } from '../../../lib/ai/model.ts'
import { runDueRoutines } from '../../../lib/companion/routines/run-routines.ts'
import { buildApp } from '../../helpers/build-app.ts'
import { type ScriptedStep, scriptedModel } from '../../helpers/scripted-model.ts'
import { testDb } from '../../helpers/test-db.ts'
import { makeWorld } from '../../helpers/world.ts'
import { createServer, makeRoutine, makeSpace, runsOf, tick } from './clockwork.ts'

let script: (request: ModelRequest) => ScriptedStep = () => ({ text: 'Fine.' })
let requests = 0
const now = new Date('2026-11-27T12:00:00Z')
const app = await buildApp({
  callModel: (request) => {
    requests += 1
    return scriptedModel([script])(request)
  },
  now: () => now,
})
const { owner, deps } = app
const world = await makeWorld(app)
const at = `/api/spaces/${world.space.id}/routines`
const daily = { schedule: 'FREQ=DAILY;BYHOUR=9;BYMINUTE=0', time_zone: 'Europe/Berlin' }
const routine = (given: Record<string, unknown> = {}) => ({
  name: 'Look',
  instruction: 'Look.',
  when: daily,
  ...given,
})

beforeEach(() => {
  script = () => ({ text: 'Fine.' })
})

async function create(given: Record<string, unknown> = {}): Promise<string> {
  const { body } = await owner.post(at).send(routine(given)).expect(201)
  return body.id
}

/** Its last run, once that has ended. */
async function ended(id: string) {
  for (;;) {
    const { body } = await owner.get(`/api/routines/${id}/runs`).expect(200)
    const [last] = body.items
    if (last && last.status !== 'running') return last
    await new Promise((resolve) => setTimeout(resolve, 20))
  }
}

async function run(id: string) {
  await owner.post(`/api/routines/${id}/run`).send({}).expect(202)
  return await ended(id)
}

describe('times', () => {
  test.each([
    ['30 February', 'FREQ=YEARLY;BYMONTH=2;BYMONTHDAY=30'],
    ['the 31st of months of 30 days', 'FREQ=YEARLY;BYMONTH=4,6,9,11;BYMONTHDAY=31'],
    ['a sixth Monday', 'FREQ=MONTHLY;BYDAY=6MO'],
    ['after its last day', 'FREQ=DAILY;UNTIL=20260101'],
    ['each second', 'FREQ=SECONDLY'],
    ['each second of an hour', 'FREQ=DAILY;BYSECOND=0,1,2,3'],
    ['each minute', 'FREQ=MINUTELY;INTERVAL=1'],
    ['each hour', 'FREQ=HOURLY;BYMINUTE=0'],
    ['at each hour of a day', 'FREQ=DAILY;BYHOUR=0,1,2,3,4,5'],
  ])('%s: is refused with what is wrong, made and changed', async (_, rule) => {
    const schedule = /BYHOUR|SECONDLY|MINUTELY|HOURLY/.test(rule) ? rule : `${rule};BYHOUR=9;BYMINUTE=0`
    const id = await create()
    const made = await owner.post(at).send(routine({ when: { schedule } }))
    const changed = await owner.patch(`/api/routines/${id}`).send({ when: { schedule } })
    const { body } = await owner.get(`${at}?limit=1`).expect(200)

    for (const { status, body: refused } of [made, changed]) {
      expect(status).toBe(400)
      expect(refused.error.message).toMatch(/schedule/)
    }
    expect(body.items[0]).toMatchObject({ id, when: daily })
  })
})

describe('the end of a schedule', () => {
  const nextOf = async (schedule: string, time_zone: string) => {
    const { status, body } = await owner.post(at).send(routine({ when: { schedule, time_zone } }))
    return status === 201 ? body.next_due_at : body.error.message
  }
  const nine = 'BYHOUR=9;BYMINUTE=0'

  test.each([
    ['COUNT counts from the first time that comes', `FREQ=DAILY;COUNT=1;${nine}`, 'UTC', '28T09:00'],
    ['on the weekday that it is made', `FREQ=WEEKLY;COUNT=1;${nine}`, 'UTC', '12-04T09:00'],
    ['UNTIL is a time of its own', `FREQ=DAILY;UNTIL=20261128T080000Z;${nine}`, 'UTC', 'never comes'],
    ['which is in it', `FREQ=DAILY;UNTIL=20261128T090000Z;${nine}`, 'UTC', '28T09:00'],
    ['and is read in its zone', `FREQ=DAILY;UNTIL=20261128T003000Z;${nine}`, 'Asia/Tokyo', '28T00:00'],
    ['as one of UTC', `FREQ=DAILY;UNTIL=20261128T075900Z;${nine}`, 'Europe/Berlin', 'never comes'],
    [
      'without Z, as one of the zone',
      `FREQ=DAILY;UNTIL=20261128T090000;${nine}`,
      'Europe/Berlin',
      '28T08:00',
    ],
    ['a second that is none', `FREQ=DAILY;${nine};BYSECOND=0`, 'UTC', '28T09:00'],
  ])('%s: %s in %s', async (_, schedule, zone, expected) => {
    expect(await nextOf(schedule, zone)).toContain(expected)
  })
})

test('runs that are asked for at once are one run', async () => {
  const id = await create({ enabled: false })
  const answers = await Promise.all([1, 2, 3].map(() => owner.post(`/api/routines/${id}/run`)))
  await ended(id)
  const { body } = await owner.get(`/api/routines/${id}/runs`).expect(200)

  expect(answers.map(({ status }) => status)).toEqual([202, 202, 202])
  expect(new Set(answers.map((answer) => answer.body.turn_id)).size).toBe(1)
  expect(body.items.length).toBe(1)
})

describe('what it needs is gone', () => {
  test('a companion that is deleted: a run now says so, a due one switches the routine off', async () => {
    const { body: companion } = await owner
      .post('/api/agents')
      .send({ name: 'Scribe', tier: 'suggest', instructions: 'Write.' })
      .expect(201)
    const id = await create({ agent_id: companion.id })
    await owner.delete(`/api/agents/${companion.id}`).expect((answer) => expect(answer.ok).toBe(true))
    const refused = await owner.post(`/api/routines/${id}/run`).send({})
    const { body } = await owner.get(`${at}?limit=1`).expect(200)

    expect([refused.status, refused.body.error.code]).toEqual([409, 'routine_not_started'])
    expect(refused.body.error.message).toContain('companion was deleted')
    expect(body.items[0]).toMatchObject({ id, enabled: false, next_due_at: null })
    expect(body.items[0].paused_reason).toContain('Choose another one')
  })

  test('a model that the provider no longer has: its words are the problem of the run', async () => {
    script = () => ({
      error: new ModelError('model_not_found', 'No such model: gone-1.', { retryable: false }),
    })
    const done = await run(await create({ model: 'gone-1' }))

    expect(done).toMatchObject({ status: 'failed', draft_ids: [] })
    expect(done.problem).toContain('gone-1')
  })
})

describe('a budget', () => {
  test.each([[-0.01], [1001], ['0.5'], [null]])('of %s is refused', async (budget_usd) => {
    const { status } = await owner.post(at).send(routine({ budget_usd }))

    expect(status).toBe(400)
  })

  test.each([
    ['a run', { budget_usd: 0 }],
    ['a day', { daily_budget_usd: 0 }],
  ])('of nothing for %s calls no model when it is due', async (_, given) => {
    const id = await create(given)
    await deps.database.query(
      "update routines set next_due_at = $2, next_start_at = $2, computed_at = '2026-11-01' where id = $1",
      [id, new Date(now.getTime() - 60_000).toISOString()],
    )
    const before = requests
    await runDueRoutines(
      {
        ...deps.ai,
        database: deps.database,
        logger: deps.server.logger,
        calendar: { now: () => now, zone: () => 'Europe/Berlin' },
        live: { publish: () => {} },
        companion: deps.companion,
      },
      new AbortController().signal,
    )

    expect(await ended(id)).toMatchObject({ status: 'skipped', problem: expect.stringContaining('budget') })
    expect(requests).toBe(before)
  })
})

describe('a clock that jumps', () => {
  const rule = 'FREQ=DAILY;BYHOUR=9;BYMINUTE=0'
  const days = async (id: string, database: Parameters<typeof runsOf>[0]) =>
    (await runsOf(database, id)).map(({ due_at }) => new Date(due_at).toISOString().slice(5, 10))

  test.each([
    ['back by an hour', '2026-06-01T06:30:00Z'],
    ['back by a month', '2026-05-01T06:30:00Z'],
  ])('%s repeats no time that has run', async (_, back) => {
    const database = await testDb()
    const clock = { now: new Date('2026-05-31T12:00:00Z') }
    const server = createServer(database, clock)
    const { id } = await makeRoutine(database, await makeSpace(database), { rule, now: clock.now })
    const look = async (time: string) => {
      clock.now = new Date(time)
      for (let times = 0; times < 3; times += 1) await tick(server)
    }
    await look('2026-06-01T07:00:00Z')
    await look(back)
    await look('2026-06-01T07:00:30Z')
    await look('2026-06-02T07:00:00Z')

    expect(await days(id, database)).toEqual(['06-01', '06-02'])
  })

  test('forward by a year runs once, and then each day', async () => {
    const database = await testDb()
    const clock = { now: new Date('2026-05-31T12:00:00Z') }
    const server = createServer(database, clock)
    const { id } = await makeRoutine(database, await makeSpace(database), { rule, now: clock.now })
    for (const time of ['2027-06-01T12:00:00Z', '2027-06-01T12:01:00Z', '2027-06-02T07:00:00Z']) {
      clock.now = new Date(time)
      for (let times = 0; times < 3; times += 1) await tick(server)
    }

    expect(await days(id, database)).toEqual(['06-01', '06-02'])
  })
})

test('a run that goes round in circles is ended, and says so', async () => {
  script = () => ({ tools: [{ name: 'search', input: { q: 'lamp' } }] })
  const id = await create()
  const before = requests
  const done = await run(id)

  expect(done).toMatchObject({ status: 'done', draft_ids: [] })
  expect(done.problem).toContain('before it had finished')
  expect(requests - before).toBeLessThan(40)
})

describe('a thousand routines', () => {
  async function fill(count: number) {
    const { body: space } = await owner.post('/api/spaces').send({ name: 'Crowded' }).expect(201)
    const here = `/api/spaces/${space.id}`
    const { body: first } = await owner.post(`${here}/routines`).send(routine()).expect(201)
    const { fields } = await deps.database.query('select * from routines limit 0')
    const names = fields.map(({ name }) => name)
    // Older than what is made later.
    const uuid = "overlay(gen_random_uuid()::text placing '00000000' from 1 for 8)::uuid"
    const values = names.map((name) => (name === 'id' ? uuid : name))
    await deps.database.query(
      `insert into routines (${names.join(', ')})
       select ${values.join(', ')} from routines, generate_series(1, $2) where id = $1`,
      [first.id, count - 1],
    )
    return { here, id: first.id as string, space_id: space.id as string }
  }

  test('are as many as a Space takes, listed by the page', async () => {
    const { here } = await fill(999)
    const last = await owner.post(`${here}/routines`).send(routine())
    const more = await owner.post(`${here}/routines`).send(routine())
    const { body: page } = await owner.get(`${here}/routines?limit=100`).expect(200)
    const rest = await owner.get(`${here}/routines?limit=100&cursor=${page.next_cursor}`).expect(200)

    expect([last.status, more.status, more.body.error.code]).toEqual([201, 409, 'too_many_routines'])
    expect([page.items.length, rest.body.items.length]).toEqual([100, 100])
    expect(page.next_cursor).not.toBeNull()
    expect((await owner.get(`${here}/routines?limit=1000`)).status).toBe(400)
  })

  test('leave the draft of one more waiting: its approval says why, and is done once there is room', async () => {
    const { here, id } = await fill(1000)
    await owner
      .post(`${here}/companion/turn`)
      .send({ text: 'Every Friday at 5, list my open tasks.' })
      .expect(200)
    const { body: drafts } = await owner.get(`/api/pending-changes?status=pending&limit=100`).expect(200)
    const draft = drafts.items.find(({ entity_type }: { entity_type: string }) => entity_type === 'routine')
    const approve = () => owner.post(`/api/pending-changes/${draft.id}/approve`).send({})
    const refused = await approve()
    const still = await owner.get(`/api/pending-changes/${draft.id}`).expect(200)
    await owner.delete(`/api/routines/${id}`).expect(204)
    await approve().expect(200)
    const { body: page } = await owner.get(`${here}/routines?limit=1`).expect(200)

    expect([refused.status, refused.body.error]).toMatchObject([
      409,
      { code: 'too_many_routines', message: expect.stringContaining('Delete one, then approve this') },
    ])
    expect(still.body.status).toBe('pending')
    expect(page.items[0].instruction).toBe('list my open tasks.')
  })

  test('count those that are approved and yet to be made', async () => {
    const { here, space_id } = await fill(999)
    await owner
      .post(`${here}/companion/turn`)
      .send({ text: 'Every Friday at 5, list my open tasks.' })
      .expect(200)
    const { body: drafts } = await owner.get(`/api/pending-changes?status=pending&limit=100`).expect(200)
    const draft = drafts.items.find(
      (one: { entity_type: string; space_id: string }) =>
        one.entity_type === 'routine' && one.space_id === space_id,
    )
    await owner.post(`/api/pending-changes/${draft.id}/approve`).send({}).expect(200)
    const more = await owner.post(`${here}/routines`).send(routine())
    const { body: page } = await owner.get(`${here}/routines?limit=1`).expect(200)

    expect([more.status, more.body.error.code]).toEqual([409, 'too_many_routines'])
    expect(page.items[0].instruction).toBe('list my open tasks.')
  })
})
