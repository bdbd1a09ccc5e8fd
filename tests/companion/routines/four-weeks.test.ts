// Four weeks in which clocks change twice, on two servers, one of which is killed every day.

import { Temporal } from 'temporal-polyfill'
import { expect, test } from 'vitest'
import { wallTime } from '../../../lib/core/schedule/zoned.ts'
import { testDb } from '../../helpers/test-db.ts'
import { type Clock, createServer, makeRoutine, makeSpace, runsOf, tick } from './clockwork.ts'

const database = await testDb()
const minuteMs = 60_000

type Case = { rule: string; zone: string; time: string; weekdays: number[] }

const every = [1, 2, 3, 4, 5, 6, 7]
const cases: Case[] = [
  { rule: 'FREQ=DAILY;BYHOUR=2;BYMINUTE=30', zone: 'Europe/Berlin', time: '02:30', weekdays: every },
  { rule: 'FREQ=DAILY;BYHOUR=2;BYMINUTE=15', zone: 'America/New_York', time: '02:15', weekdays: every },
  { rule: 'FREQ=DAILY;BYHOUR=23;BYMINUTE=50', zone: 'Pacific/Auckland', time: '23:50', weekdays: every },
  { rule: 'FREQ=WEEKLY;BYDAY=FR;BYHOUR=17;BYMINUTE=0', zone: 'Europe/Berlin', time: '17:00', weekdays: [5] },
  {
    rule: 'FREQ=WEEKLY;BYDAY=SU;BYHOUR=2;BYMINUTE=0',
    zone: 'America/New_York',
    time: '02:00',
    weekdays: [7],
  },
  {
    rule: 'FREQ=WEEKLY;BYDAY=MO,WE,SA;BYHOUR=0;BYMINUTE=5',
    zone: 'Asia/Tokyo',
    time: '00:05',
    weekdays: [1, 3, 6],
  },
  { rule: 'FREQ=WEEKLY;BYDAY=SU;BYHOUR=3;BYMINUTE=0', zone: 'Europe/Berlin', time: '03:00', weekdays: [7] },
]

/** Counted by Temporal, day by day. */
function expectedTimes({ zone, time, weekdays }: Case, from: Date, until: Date): string[] {
  const times: string[] = []
  const start = Temporal.PlainDate.from(from.toISOString().slice(0, 10)).subtract({ days: 2 })
  for (let day = 0; day < 34; day += 1) {
    const date = start.add({ days: day })
    if (!weekdays.includes(date.dayOfWeek)) continue
    const at = date.toZonedDateTime({ timeZone: zone, plainTime: time }).toInstant().epochMilliseconds
    if (at > from.getTime() && at <= until.getTime()) times.push(new Date(at).toISOString())
  }
  return times
}

test('every time comes once, on its weekday, whatever dies', async () => {
  const clock: Clock = { now: new Date('2026-03-06T12:00:00Z') }
  const begin = clock.now
  const until = new Date('2026-04-03T12:00:00Z')
  const space = await makeSpace(database)
  const routines = await Promise.all(
    cases.map((one) => makeRoutine(database, space, { rule: one.rule, zone: one.zone, now: clock.now })),
  )
  let servers = [createServer(database, clock), createServer(database, clock)]
  let day = ''
  let kills = 0
  for (let step = 0; clock.now <= until; step += 1) {
    const today = clock.now.toISOString().slice(0, 10)
    if (today !== day) {
      // Whichever starts the next turn does nothing more.
      for (const server of servers) server.killAt = kills % 3 === 0 ? 'after' : 'before'
      day = today
    }
    const before = kills
    await Promise.all(servers.map(tick))
    servers = servers.map((server) => {
      if (!server.killed) return server
      kills += 1
      return createServer(database, clock)
    })
    if (kills > before) for (const server of servers) server.killAt = null
    // Uneven steps of up to eleven minutes.
    clock.now = new Date(clock.now.getTime() + (3 + ((step * 7) % 9)) * minuteMs)
  }
  for (const server of servers) server.killAt = null
  await Promise.all(servers.map(tick))
  await Promise.all(servers.map(tick))

  expect(kills).toBeGreaterThan(15)
  for (const [at, one] of cases.entries()) {
    const runs = await runsOf(database, routines[at]!.id)
    expect(runs.map(({ due_at }) => new Date(due_at).toISOString())).toEqual(expectedTimes(one, begin, until))
    expect(runs.map(({ status }) => status).filter((status) => status !== 'done')).toEqual([])
    expect(new Set(runs.map(({ turn_id }) => turn_id)).size).toBe(runs.length)
    for (const { started_at } of runs) {
      const { day: date } = wallTime(new Date(started_at!), one.zone)
      expect(one.weekdays).toContain(Temporal.PlainDate.from(date).dayOfWeek)
    }
  }
  const { rows } = await database.query<{ count: number }>(
    "select count(*)::integer as count from turns where idempotency_key like 'routine:%'",
  )
  const all = await Promise.all(routines.map(({ id }) => runsOf(database, id)))
  expect(rows[0]!.count).toBe(all.flat().length)
})
