import { describe, expect, test } from 'vitest'
import {
  describeRecurrence,
  formatRecurrence,
  nextOccurrence,
  parseRecurrence,
} from '../../../lib/core/text/dates/recurrence.ts'

test.each([
  ['FREQ=DAILY', 'FREQ=DAILY', 'every day'],
  [
    'rrule:freq=weekly;interval=1;byday=we,mo',
    'FREQ=WEEKLY;BYDAY=MO,WE',
    'every week on Monday and Wednesday',
  ],
  ['FREQ=WEEKLY;BYDAY=MO,TU,WE,TH,FR', 'FREQ=WEEKLY;BYDAY=MO,TU,WE,TH,FR', 'every weekday'],
  ['FREQ=WEEKLY;BYDAY=SU', 'FREQ=WEEKLY;BYDAY=SU', 'every Sunday'],
  ['INTERVAL=3;FREQ=DAILY', 'FREQ=DAILY;INTERVAL=3', 'every 3 days'],
  ['FREQ=MONTHLY;BYMONTHDAY=31', 'FREQ=MONTHLY;BYMONTHDAY=31', 'every month on day 31'],
  ['FREQ=YEARLY', 'FREQ=YEARLY', 'every year'],
])('%s is the rule %s: %s', (text, stored, words) => {
  const rule = parseRecurrence(text)!

  expect(formatRecurrence(rule)).toBe(stored)
  expect(describeRecurrence(rule)).toBe(words)
})

test.each([
  'FREQ=HOURLY',
  'FREQ=DAILY;COUNT=3',
  'FREQ=DAILY;FREQ=WEEKLY',
  'FREQ=DAILY;INTERVAL=0',
  'FREQ=DAILY;INTERVAL=1e9',
  'FREQ=DAILY;BYDAY=MO',
  'FREQ=WEEKLY;BYDAY=1MO',
  'FREQ=MONTHLY;BYMONTHDAY=32',
  'every day',
  '',
  'x'.repeat(101),
])('%j is none', (text) => {
  expect(parseRecurrence(text)).toBe(null)
})

describe('the next due date', () => {
  test.each([
    ['FREQ=DAILY', '2026-11-24', '2026-11-24', '2026-11-25'],
    ['FREQ=DAILY', '2026-11-10', '2026-11-24', '2026-11-24'],
    ['FREQ=DAILY;INTERVAL=3', '2026-11-20', '2026-11-24', '2026-11-26'],
    ['FREQ=DAILY', '2026-11-30', '2026-11-24', '2026-12-01'],
    ['FREQ=WEEKLY', '2026-11-24', '2026-11-24', '2026-12-01'],
    ['FREQ=WEEKLY;BYDAY=MO,TU,WE,TH,FR', '2026-11-27', '2026-11-27', '2026-11-30'],
    ['FREQ=WEEKLY;BYDAY=MO', '2026-11-23', '2026-11-24', '2026-11-30'],
    ['FREQ=WEEKLY;INTERVAL=2;BYDAY=MO,FR', '2026-11-23', '2026-11-23', '2026-11-27'],
    ['FREQ=WEEKLY;INTERVAL=2;BYDAY=MO,FR', '2026-11-27', '2026-11-27', '2026-12-07'],
    ['FREQ=MONTHLY', '2026-01-31', '2026-01-31', '2026-02-28'],
    ['FREQ=MONTHLY;BYMONTHDAY=31', '2026-02-28', '2026-02-28', '2026-03-31'],
    ['FREQ=MONTHLY;INTERVAL=3', '2026-01-15', '2026-11-24', '2027-01-15'],
    ['FREQ=YEARLY', '2028-02-29', '2028-02-29', '2029-02-28'],
    ['FREQ=YEARLY', '2000-12-24', '2026-12-25', '2027-12-24'],
    ['FREQ=DAILY', '9999-12-31', '2026-11-24', '9999-12-31'],
    ['FREQ=YEARLY;INTERVAL=365', '9999-01-01', '2026-11-24', '9999-12-31'],
    ['FREQ=WEEKLY;BYDAY=MO', '0001-01-01', '9999-12-31', '9999-12-31'],
  ])('%s, due %s and done on %s, is %s', (rule, due, today, next) => {
    expect(nextOccurrence(parseRecurrence(rule)!, { due, today }).due).toBe(next)
  })

  test('without one counts from today', () => {
    expect(nextOccurrence(parseRecurrence('FREQ=WEEKLY')!, { due: null, today: '2026-11-24' }).due).toBe(
      '2026-12-01',
    )
  })

  test('of the last of January is the last of every month', () => {
    let [rule, due] = [parseRecurrence('FREQ=MONTHLY')!, '2026-01-31']
    const days = Array.from({ length: 3 }, () => {
      const next = nextOccurrence(rule, { due, today: due })
      ;[rule, due] = [next.rule, next.due]
      return due
    })

    expect(days).toEqual(['2026-02-28', '2026-03-31', '2026-04-30'])
  })
})
