// The owner's time zone decides what day it is. The server's clock stands at one in the night of UTC.

import { beforeEach, expect, test } from 'vitest'
import { isTimeZone } from '../../lib/core/schedule/zoned.ts'
import { buildApp } from '../helpers/build-app.ts'
import { makeAgent } from '../helpers/world.ts'

let now = new Date('2026-11-27T01:00:00Z')
const void_ = await buildApp({ now: () => now, reachesModels: true })
const { owner } = void_
const { id: space } = (await owner.post('/api/spaces').send({ name: 'Skerry Light' }).expect(201)).body

const setZone = async (time_zone: string) => await owner.put('/api/time-zone').send({ time_zone }).expect(200)
const add = async (fields: object) =>
  (
    await owner
      .post(`/api/spaces/${space}/tasks`)
      .send({ title: 'Trim the wick', ...fields })
      .expect(201)
  ).body
const finish = async ({ id, version }: { id: string; version: number }) =>
  (await owner.patch(`/api/tasks/${id}`).send({ status: 'done', version }).expect(200)).body

beforeEach(() => {
  now = new Date('2026-11-27T01:00:00Z')
})

test('is the server’s, then the first browser’s, then the owner’s choice', async () => {
  const zone = async () => (await owner.get('/api/time-zone').expect(200)).body
  const report = (time_zone: string) =>
    owner.put('/api/time-zone').send({ time_zone, set_by: 'browser' }).expect(200)
  expect(await zone()).toMatchObject({ set_by: 'server' })

  await report('America/New_York')
  expect(await zone()).toEqual({ time_zone: 'America/New_York', set_by: 'browser' })
  await report('Asia/Tokyo')
  expect(await zone()).toEqual({ time_zone: 'America/New_York', set_by: 'browser' })

  await setZone('Europe/Berlin')
  await report('Asia/Tokyo')
  expect(await zone()).toEqual({ time_zone: 'Europe/Berlin', set_by: 'owner' })
})

test.each(['Mars/Olympus', '+02:00', '', 'x'.repeat(65), 7])('%j is refused', async (time_zone) => {
  expect(isTimeZone(String(time_zone))).toBe(false)
  await owner.put('/api/time-zone').send({ time_zone }).expect(400)
})

test('no agent reads or sets it', async () => {
  const { token } = await makeAgent(void_, { slug: 'reader', spaces: [space] })
  const agent = void_.as(token)

  expect((await agent.get('/api/time-zone')).status).toBe(403)
  expect((await agent.put('/api/time-zone').send({ time_zone: 'UTC' })).status).toBe(403)
})

test.each([
  ['America/New_York', '2026-11-26', '2026-11-27T05:00:00.000Z'],
  ['Europe/Berlin', '2026-11-27', '2026-11-27T23:00:00.000Z'],
  ['Pacific/Kiritimati', '2026-11-27', '2026-11-27T10:00:00.000Z'],
])('in %s today is %s, and the budget’s day ends at %s', async (zone, day, midnight) => {
  await setZone(zone)

  const { body: today } = await owner.get('/api/today').expect(200)
  const { body: usage } = await owner.get('/api/usage').expect(200)

  expect(today.day).toBe(day)
  expect([usage.to, usage.budget.resets_at, usage.budget.time_zone]).toEqual([day, midnight, zone])
  expect(usage.items.at(-1).key).toBe(day)
  const repeating = await add({ recurrence: 'FREQ=DAILY' })
  expect((await finish(repeating)).due_on).toBe(
    new Date(Date.parse(day) + 86_400_000).toISOString().slice(0, 10),
  )
})

test('a reminder at nine stays at nine when clocks change, and one in a skipped hour comes once', async () => {
  await setZone('Europe/Berlin')
  now = new Date('2026-03-28T08:30:00Z')
  const nine = await add({
    ...{ due_on: '2026-03-28', recurrence: 'FREQ=DAILY', remind_at: '2026-03-28T09:00:00+01:00' },
  })
  const early = await add({
    ...{ due_on: '2026-03-28', recurrence: 'FREQ=DAILY', remind_at: '2026-03-28T02:30:00+01:00' },
  })

  const [sunday, skipped] = [await finish(nine), await finish(early)]
  const back = await finish(skipped)

  expect(sunday).toMatchObject({ due_on: '2026-03-29', remind_at: '2026-03-29T07:00:00.000Z' })
  expect(skipped).toMatchObject({ due_on: '2026-03-29', remind_at: '2026-03-29T01:30:00.000Z' })
  expect(back).toMatchObject({
    ...{ due_on: '2026-03-30', remind_at: '2026-03-30T00:30:00.000Z', recurrence: 'FREQ=DAILY' },
  })
})

test('a rule with a count ends, and stays done', async () => {
  const task = await add({ due_on: '2026-11-27', recurrence: 'FREQ=DAILY;COUNT=2' })

  const last = await finish(task)
  const over = await finish(last)

  expect(last).toMatchObject({ status: 'open', due_on: '2026-11-28', recurrence: 'FREQ=DAILY;COUNT=1' })
  expect(over).toMatchObject({ status: 'done', due_on: '2026-11-28' })
})

test('a rule with a part that is not supported is refused with its name', async () => {
  const { body } = await owner
    .post(`/api/spaces/${space}/tasks`)
    .send({ title: 'Wind', recurrence: 'FREQ=YEARLY;BYWEEKNO=20' })
    .expect(400)

  expect(JSON.stringify(body)).toContain('BYWEEKNO is not supported')
})

test('the companion reads “tomorrow” where the owner is', async () => {
  await setZone('America/New_York')
  await owner
    .post(`/api/spaces/${space}/companion/turn`)
    .set('accept', 'application/json')
    .send({ text: 'Create a task: order oil tomorrow' })

  const { body } = await owner.get(`/api/pending-changes?space_id=${space}`)
  expect(body.items[0].payload.due_on).toBe('2026-11-27')
})
