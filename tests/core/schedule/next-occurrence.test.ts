import { Temporal } from 'temporal-polyfill'
import { describe, expect, test } from 'vitest'
import { instantAt } from '../../../lib/core/schedule/instants.ts'
import { moveReminder, nextOccurrence } from '../../../lib/core/schedule/next-occurrence.ts'
import { formatRecurrence, parseRecurrence, type Recurrence } from '../../../lib/core/schedule/recurrence.ts'
import { addDays, wallTime } from '../../../lib/core/schedule/zoned.ts'
import { zones } from './zones.ts'

const ruleOf = (text: string): Recurrence => parseRecurrence(text)!
const next = (text: string, due: string | null, today: string) => nextOccurrence(ruleOf(text), { due, today })

/** The due dates of one after the other, each done on its day. */
function run(text: string, due: string, max = 6): string[] {
  const days: string[] = []
  let at: ReturnType<typeof nextOccurrence> = { due, rule: ruleOf(text) }
  while (days.length < max) {
    at = nextOccurrence(ruleOf(formatRecurrence(at.rule)), { due: at.due, today: at.due })
    if (!at) break
    days.push(at.due)
  }
  return days
}

describe('the next due date', () => {
  test.each([
    ['FREQ=DAILY', '2026-11-24', '2026-11-24', '2026-11-25'],
    ['FREQ=DAILY', '2026-11-10', '2026-11-24', '2026-11-24'],
    ['FREQ=DAILY;INTERVAL=3', '2026-11-20', '2026-11-24', '2026-11-26'],
    ['FREQ=DAILY', '2026-11-30', '2026-11-24', '2026-12-01'],
    ['FREQ=DAILY;BYDAY=MO,WE', '2026-11-25', '2026-11-25', '2026-11-30'],
    ['FREQ=WEEKLY', '2026-11-24', '2026-11-24', '2026-12-01'],
    ['FREQ=WEEKLY;BYDAY=MO,TU,WE,TH,FR', '2026-11-27', '2026-11-27', '2026-11-30'],
    ['FREQ=WEEKLY;BYDAY=MO', '2026-11-23', '2026-11-24', '2026-11-30'],
    ['FREQ=WEEKLY;INTERVAL=2;BYDAY=MO,FR', '2026-11-23', '2026-11-23', '2026-11-27'],
    ['FREQ=WEEKLY;INTERVAL=2;BYDAY=MO,FR', '2026-11-27', '2026-11-27', '2026-12-07'],
    ['FREQ=WEEKLY;INTERVAL=2;BYDAY=SU,MO;WKST=SU', '2026-11-22', '2026-11-22', '2026-11-23'],
    ['FREQ=MONTHLY', '2026-01-31', '2026-01-31', '2026-02-28'],
    ['FREQ=MONTHLY;BYMONTHDAY=31', '2026-02-28', '2026-02-28', '2026-03-31'],
    ['FREQ=MONTHLY;INTERVAL=3', '2026-01-15', '2026-11-24', '2027-01-15'],
    ['FREQ=MONTHLY;BYDAY=2TU', '2026-11-10', '2026-11-24', '2026-12-08'],
    ['FREQ=MONTHLY;BYDAY=-1FR', '2026-11-27', '2026-11-27', '2026-12-25'],
    ['FREQ=MONTHLY;BYMONTHDAY=-1', '2027-01-31', '2027-01-31', '2027-02-28'],
    ['FREQ=MONTHLY;BYDAY=MO,TU,WE,TH,FR;BYSETPOS=-1', '2026-10-30', '2026-10-30', '2026-11-30'],
    ['FREQ=YEARLY;BYMONTH=11;BYDAY=4TH', '2026-11-26', '2026-11-26', '2027-11-25'],
    ['FREQ=YEARLY', '2028-02-29', '2028-02-29', '2029-02-28'],
    ['FREQ=YEARLY', '2000-12-24', '2026-12-25', '2027-12-24'],
    ['FREQ=WEEKLY;BYDAY=MO', '0001-01-01', '2026-11-24', '2026-11-30'],
    ['FREQ=DAILY;UNTIL=20261126', '2026-11-24', '2026-11-26', '2026-11-26'],
    ['RRULE:FREQ=DAILY\nEXDATE:20261125,20261126', '2026-11-24', '2026-11-24', '2026-11-27'],
  ])('%s, due %s and done on %s, is %s', (rule, due, today, expected) => {
    expect(next(rule, due, today)?.due).toBe(expected)
  })

  test.each([
    ['FREQ=DAILY;UNTIL=20261126', '2026-11-26', '2026-11-26'],
    ['FREQ=DAILY;UNTIL=20261126', '2026-11-20', '2026-12-01'],
    ['FREQ=DAILY;COUNT=1', '2026-11-24', '2026-11-24'],
    ['FREQ=DAILY;COUNT=3', '2026-11-10', '2026-11-24'],
    ['FREQ=DAILY', '9999-12-31', '2026-11-24'],
    ['FREQ=YEARLY;INTERVAL=365', '9999-01-01', '2026-11-24'],
  ])('%s, due %s and done on %s, is over', (rule, due, today) => {
    expect(next(rule, due, today)).toBe(null)
  })

  test('without one counts from today', () => {
    expect(next('FREQ=WEEKLY', null, '2026-11-24')?.due).toBe('2026-12-01')
  })

  test('of the last of January is the last of every month', () => {
    expect(run('FREQ=MONTHLY', '2026-01-31', 3)).toEqual(['2026-02-28', '2026-03-31', '2026-04-30'])
  })

  test('comes as often as it counts, the due date included', () => {
    expect(run('FREQ=WEEKLY;COUNT=4', '2026-11-24')).toEqual(['2026-12-01', '2026-12-08', '2026-12-15'])
  })

  test('an exception is one of those that are counted', () => {
    expect(run('RRULE:FREQ=DAILY;COUNT=4\nEXDATE:20261126', '2026-11-24')).toEqual([
      '2026-11-25',
      '2026-11-27',
    ])
  })

  test('a month apart keeps the second Tuesday', () => {
    expect(run('FREQ=MONTHLY;BYDAY=2TU', '2026-09-08', 4)).toEqual([
      '2026-10-13',
      '2026-11-10',
      '2026-12-08',
      '2027-01-12',
    ])
  })
})

describe('a rule that is hostile costs little', () => {
  test.each([
    'FREQ=DAILY;INTERVAL=7;BYDAY=MO',
    'FREQ=DAILY;INTERVAL=365;BYDAY=MO;BYMONTHDAY=31;BYMONTH=1',
    'FREQ=MONTHLY;BYDAY=5MO;BYMONTHDAY=1',
    'FREQ=MONTHLY;BYDAY=MO;BYSETPOS=300',
    'FREQ=WEEKLY;INTERVAL=364;BYMONTH=2;BYDAY=MO',
    'FREQ=DAILY;COUNT=1000',
    `RRULE:FREQ=DAILY\nEXDATE:${Array.from({ length: 50 }, (_, n) => addDays('2026-01-07', n).replaceAll('-', '')).join(',')}`,
  ])('%s', (text) => {
    const started = performance.now()

    next(text, '2026-01-06', '2026-01-06')
    next(text, '0001-01-02', '9990-01-06')

    // Far above what it takes: a search without end would run for minutes.
    expect(performance.now() - started).toBeLessThan(5000)
  })
})

describe.each(zones)('a daily reminder in %s', (zone) => {
  test.each(['09:00:00', '02:30:00'])('stays at %s for five years', (time) => {
    let due = '2023-01-01'
    let rule = ruleOf('FREQ=DAILY')
    let reminder = instantAt({ day: due, time }, zone).toISOString()
    const wrong: string[] = []
    for (let day = 0; day < 5 * 366; day += 1) {
      const occurrence = addDays(due, 1)
      const moved = moveReminder(reminder, { from: due, to: occurrence, rule, zone })
      due = occurrence
      rule = ruleOf(formatRecurrence(moved.rule))
      reminder = moved.reminder
      const expected = Temporal.PlainDateTime.from(`${due}T${time}`).toZonedDateTime(zone).epochMilliseconds
      if (Date.parse(reminder) !== expected) wrong.push(`${due} ${reminder}`)
    }

    expect(wrong).toEqual([])
  })
})

test('a reminder that was set anew keeps its new time', () => {
  const zone = 'Europe/Berlin'
  const skipped = moveReminder(instantAt({ day: '2026-03-28', time: '02:30:00' }, zone).toISOString(), {
    ...{ from: '2026-03-28', to: '2026-03-29', rule: ruleOf('FREQ=DAILY'), zone },
  })
  expect(wallTime(new Date(skipped.reminder), zone).time).toBe('03:30:00')
  expect(formatRecurrence(skipped.rule)).toBe('FREQ=DAILY;BYHOUR=2;BYMINUTE=30')

  const anew = instantAt({ day: '2026-03-29', time: '08:00:00' }, zone).toISOString()
  const moved = moveReminder(anew, { from: '2026-03-29', to: '2026-03-30', rule: skipped.rule, zone })

  expect(wallTime(new Date(moved.reminder), zone)).toEqual({ day: '2026-03-30', time: '08:00:00' })
  expect(formatRecurrence(moved.rule)).toBe('FREQ=DAILY')
})
