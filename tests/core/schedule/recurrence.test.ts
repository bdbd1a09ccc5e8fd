import { expect, test } from 'vitest'
import { describeRecurrence } from '../../../lib/core/schedule/describe-recurrence.ts'
import {
  formatRecurrence,
  parseRecurrence,
  recurrenceProblem,
} from '../../../lib/core/schedule/recurrence.ts'

test.each([
  ['FREQ=DAILY', 'FREQ=DAILY', 'every day'],
  [
    'rrule:freq=weekly;interval=1;byday=we,mo',
    'FREQ=WEEKLY;BYDAY=MO,WE',
    'every week on Monday and Wednesday',
  ],
  ['FREQ=WEEKLY;BYDAY=MO,TU,WE,TH,FR', 'FREQ=WEEKLY;BYDAY=MO,TU,WE,TH,FR', 'every weekday'],
  ['FREQ=DAILY;BYDAY=FR,MO,TU,WE,TH', 'FREQ=DAILY;BYDAY=MO,TU,WE,TH,FR', 'every weekday'],
  ['FREQ=DAILY;BYDAY=MO,SA', 'FREQ=DAILY;BYDAY=MO,SA', 'every Monday and Saturday'],
  ['FREQ=WEEKLY;BYDAY=SU', 'FREQ=WEEKLY;BYDAY=SU', 'every Sunday'],
  ['INTERVAL=3;FREQ=DAILY', 'FREQ=DAILY;INTERVAL=3', 'every 3 days'],
  ['FREQ=MONTHLY;BYMONTHDAY=31', 'FREQ=MONTHLY;BYMONTHDAY=31', 'every month on day 31'],
  ['FREQ=MONTHLY;BYMONTHDAY=-1', 'FREQ=MONTHLY;BYMONTHDAY=-1', 'every month on the last day'],
  ['FREQ=MONTHLY;BYDAY=+2TU', 'FREQ=MONTHLY;BYDAY=2TU', 'every month on the second Tuesday'],
  ['FREQ=MONTHLY;BYDAY=-1FR', 'FREQ=MONTHLY;BYDAY=-1FR', 'every month on the last Friday'],
  [
    'FREQ=MONTHLY;BYDAY=MO,TU,WE,TH,FR;BYSETPOS=-1',
    'FREQ=MONTHLY;BYDAY=MO,TU,WE,TH,FR;BYSETPOS=-1',
    'every month on the last of Monday, Tuesday, Wednesday, Thursday and Friday',
  ],
  [
    'FREQ=YEARLY;BYDAY=4TH;BYMONTH=11',
    'FREQ=YEARLY;BYMONTH=11;BYDAY=4TH',
    'every year on the fourth Thursday in November',
  ],
  ['FREQ=DAILY;COUNT=3', 'FREQ=DAILY;COUNT=3', 'every day, 3 more times'],
  ['FREQ=WEEKLY;UNTIL=20261231T235959Z', 'FREQ=WEEKLY;UNTIL=20261231', 'every week, until 31 Dec 2026'],
  [
    'RRULE:FREQ=DAILY\r\nEXDATE;TZID=Europe/Berlin:20261226T090000,20261225T090000\r\n',
    'RRULE:FREQ=DAILY\nEXDATE;VALUE=DATE:20261225,20261226',
    'every day, except 25 Dec 2026 and 26 Dec 2026',
  ],
  ['FREQ=YEARLY', 'FREQ=YEARLY', 'every year'],
  ['FREQ=WEEKLY;INTERVAL=2;WKST=SU', 'FREQ=WEEKLY;INTERVAL=2;WKST=SU', 'every 2 weeks'],
])('%s is the rule %s: %s', (text, stored, words) => {
  const rule = parseRecurrence(text)!

  expect(formatRecurrence(rule)).toBe(stored)
  expect(parseRecurrence(stored)).toEqual(rule)
  expect(describeRecurrence(rule)).toBe(words)
})

test.each([
  ['FREQ=HOURLY', 'FREQ=HOURLY'],
  ['FREQ=SECONDLY', 'FREQ=SECONDLY'],
  ['FREQ=DAILY;FREQ=WEEKLY', 'twice'],
  ['FREQ=DAILY;INTERVAL=0', 'INTERVAL=0'],
  ['FREQ=DAILY;INTERVAL=1e9', 'INTERVAL=1E9'],
  ['FREQ=DAILY;COUNT=1000000000', 'COUNT=1000000000'],
  ['FREQ=DAILY;COUNT=2;UNTIL=20261231', 'COUNT and UNTIL'],
  ['FREQ=DAILY;UNTIL=20261331', 'UNTIL=20261331'],
  ['FREQ=DAILY;UNTIL=20260230', 'UNTIL=20260230'],
  ['FREQ=WEEKLY;BYDAY=1MO', 'BYDAY=1MO'],
  ['FREQ=MONTHLY;BYDAY=6MO', 'BYDAY=6MO'],
  ['FREQ=WEEKLY;BYDAY=XX', 'BYDAY=XX'],
  ['FREQ=WEEKLY;BYMONTHDAY=1', 'BYMONTHDAY'],
  ['FREQ=MONTHLY;BYMONTHDAY=32', 'BYMONTHDAY=32'],
  ['FREQ=MONTHLY;BYMONTHDAY=0', 'BYMONTHDAY=0'],
  ['FREQ=YEARLY;BYMONTH=2;BYMONTHDAY=30', 'never comes'],
  ['FREQ=MONTHLY;BYSETPOS=1', 'BYSETPOS'],
  ['FREQ=YEARLY;BYWEEKNO=20', 'BYWEEKNO is not supported'],
  ['FREQ=YEARLY;BYEASTER=0', 'BYEASTER is not supported'],
  ['FREQ=DAILY;BYHOUR=9', 'BYHOUR'],
  ['FREQ=DAILY;EXDATE=20261225', 'EXDATE is a line of its own'],
  ['DTSTART:20260101\nRRULE:FREQ=DAILY', 'DTSTART is not supported'],
  ['RRULE:FREQ=DAILY\nRRULE:FREQ=WEEKLY', 'One recurrence rule'],
  ['RRULE:FREQ=DAILY\nEXDATE:tomorrow', 'EXDATE=TOMORROW'],
  ['every day', 'Not a recurrence rule'],
  ['', 'One recurrence rule'],
  ['INTERVAL=2', 'FREQ is missing'],
  [`FREQ=${'X'.repeat(900)}`, 'FREQ=XXXX'],
  ['x'.repeat(1001), 'at most 1000'],
])('%j is none, and the part is named', (text, part) => {
  expect(parseRecurrence(text)).toBe(null)
  expect(recurrenceProblem(text)).toContain(part)
  expect(recurrenceProblem(text)!.length).toBeLessThan(200)
})
