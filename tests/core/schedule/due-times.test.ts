import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import {
  isWithin,
  lastDue,
  mayBeLateOn,
  nextDue,
  type Schedule,
} from '../../../lib/core/schedule/due-times.ts'
import { parseRecurrence } from '../../../lib/core/schedule/recurrence.ts'
import { dayIn, wallTime } from '../../../lib/core/schedule/zoned.ts'

const berlin = 'Europe/Berlin'

function scheduleOf(rule: string, given: Partial<Schedule> = {}): Schedule {
  return { rule: parseRecurrence(rule)!, time: '09:00', zone: berlin, startsOn: '2026-01-01', ...given }
}

/** The first times after an instant. */
function times(schedule: Schedule, after: string, max: number): string[] {
  const found: string[] = []
  for (let at = nextDue(schedule, new Date(after)); at && found.length < max; at = nextDue(schedule, at))
    found.push(at.toISOString())
  return found
}

describe('the next time', () => {
  test.each([
    ['FREQ=DAILY', {}, '2026-06-01T07:00:00Z', '2026-06-02T07:00:00.000Z'],
    ['FREQ=DAILY', {}, '2026-06-01T06:59:59Z', '2026-06-01T07:00:00.000Z'],
    ['FREQ=WEEKLY;BYDAY=FR', { time: '17:00' }, '2026-11-25T00:00:00Z', '2026-11-27T16:00:00.000Z'],
    // The first day is a Monday, which no rule of Fridays makes one of its days.
    ['FREQ=WEEKLY;BYDAY=FR', { startsOn: '2026-11-23' }, '2026-11-20T00:00:00Z', '2026-11-27T08:00:00.000Z'],
    ['FREQ=WEEKLY', { startsOn: '2026-11-24' }, '2026-12-09T00:00:00Z', '2026-12-15T08:00:00.000Z'],
    [
      'FREQ=WEEKLY;INTERVAL=2;BYDAY=MO',
      { startsOn: '2026-11-02' },
      '2026-11-03T00:00:00Z',
      '2026-11-16T08:00:00.000Z',
    ],
    ['FREQ=DAILY;INTERVAL=3', { startsOn: '2020-01-01' }, '2026-11-01T00:00:00Z', '2026-11-01T08:00:00.000Z'],
    ['FREQ=MONTHLY', { startsOn: '2026-01-31' }, '2026-02-01T12:00:00Z', '2026-02-28T08:00:00.000Z'],
    ['FREQ=MONTHLY;BYDAY=-1FR', {}, '2026-11-02T00:00:00Z', '2026-11-27T08:00:00.000Z'],
    ['FREQ=DAILY', { startsOn: '2000-01-01' }, '2026-06-01T12:00:00Z', '2026-06-02T07:00:00.000Z'],
    ['FREQ=DAILY', { startsOn: '2027-03-01' }, '2026-06-01T12:00:00Z', '2027-03-01T08:00:00.000Z'],
    ['RRULE:FREQ=DAILY\nEXDATE:20260602', {}, '2026-06-01T12:00:00Z', '2026-06-03T07:00:00.000Z'],
  ])('of %s, %o', (rule, given, after, expected) => {
    expect(nextDue(scheduleOf(rule, given), new Date(after))?.toISOString()).toBe(expected)
  })

  test('COUNT and UNTIL end it', () => {
    const counted = scheduleOf('FREQ=DAILY;COUNT=3', { startsOn: '2026-06-01' })
    const dated = scheduleOf('FREQ=DAILY;UNTIL=20260603', { startsOn: '2026-06-01' })
    const all = ['01', '02', '03'].map((day) => `2026-06-${day}T07:00:00.000Z`)

    expect(times(counted, '2026-05-01T00:00:00Z', 9)).toEqual(all)
    expect(times(dated, '2026-05-01T00:00:00Z', 9)).toEqual(all)
    expect(times(counted, '2026-06-02T12:00:00Z', 9)).toEqual(all.slice(2))
  })

  test.each(['FREQ=YEARLY;BYMONTH=2;BYMONTHDAY=30,31', 'FREQ=DAILY;UNTIL=20200101'])(
    '%s never comes',
    (rule) => {
      const parsed = parseRecurrence(rule)
      expect(parsed && nextDue(scheduleOf(rule), new Date('2026-06-01T00:00:00Z'))).toBeNull()
    },
  )

  test('a time that clocks skip comes once, an hour later on the wall', () => {
    const schedule = scheduleOf('FREQ=DAILY', { time: '02:30' })

    expect(times(schedule, '2026-03-28T12:00:00Z', 2)).toEqual([
      '2026-03-29T01:30:00.000Z',
      '2026-03-30T00:30:00.000Z',
    ])
  })

  test('a time that comes twice is due at the first', () => {
    const schedule = scheduleOf('FREQ=DAILY', { time: '02:30' })

    expect(times(schedule, '2026-10-24T12:00:00Z', 2)).toEqual([
      '2026-10-25T00:30:00.000Z',
      '2026-10-26T01:30:00.000Z',
    ])
  })

  test('every day of four weeks over a change of clocks comes once, in any zone and at any time', () => {
    const zone = fc.constantFrom(
      'Europe/Berlin',
      'America/New_York',
      'Australia/Lord_Howe',
      'Asia/Beirut',
      'UTC',
    )
    const begins = fc.constantFrom('2026-03-05', '2026-10-14', '2026-03-20', '2026-10-25', '2026-09-28')
    fc.assert(
      fc.property(zone, begins, fc.nat(23), fc.nat(59), (name, startsOn, hour, minute) => {
        const time = [hour, minute].map((part) => String(part).padStart(2, '0')).join(':')
        const schedule = scheduleOf('FREQ=DAILY', { time, zone: name, startsOn })
        const found = times(schedule, `${startsOn}T00:00:00Z`, 28).map((at) => new Date(at))
        const days = found.map((at) => dayIn(at, name))

        expect(new Set(days).size).toBe(28)
        const shown = found.map((at) => wallTime(at, name).time.slice(0, 5))
        expect(shown.filter((each) => each !== time).length).toBeLessThanOrEqual(1)
      }),
      { numRuns: 60 },
    )
  })
})

test('of what was missed the last counts, however many there were', () => {
  const daily = scheduleOf('FREQ=DAILY', { startsOn: '2020-01-01' })
  const yearly = scheduleOf('FREQ=YEARLY;BYMONTH=6;BYMONTHDAY=1', { startsOn: '2020-01-01' })
  const due = new Date('2020-01-01T08:00:00Z')

  expect(lastDue(daily, due, new Date('2026-06-02T06:00:00Z')).toISOString()).toBe('2026-06-01T07:00:00.000Z')
  expect(lastDue(yearly, due, new Date('2026-05-02T06:00:00Z')).toISOString()).toBe(
    '2025-06-01T07:00:00.000Z',
  )
  expect(lastDue(daily, due, due)).toEqual(due)
})

test.each([
  ['FREQ=WEEKLY;BYDAY=FR', '2026-11-27', true],
  ['FREQ=WEEKLY;BYDAY=FR', '2026-11-28', false],
  ['FREQ=MONTHLY;BYDAY=-1FR', '2026-11-28', false],
  ['FREQ=WEEKLY', '2026-01-08', true],
  ['FREQ=WEEKLY', '2026-01-09', false],
  ['FREQ=DAILY', '2026-11-28', true],
  ['FREQ=MONTHLY;BYMONTHDAY=1', '2026-11-02', true],
])('%s, missed, on %s: %s', (rule, day, expected) => {
  expect(mayBeLateOn(scheduleOf(rule), day)).toBe(expected)
})

test('hours may go over midnight', () => {
  const night = { from: '22:00', until: '07:00' }

  expect(['21:59', '22:00', '03:00', '06:59', '07:00'].map((time) => isWithin(time, night))).toEqual([
    ...[false, true, true, true, false],
  ])
  expect(isWithin('12:00', { from: '12:00', until: '13:00' })).toBe(true)
})
