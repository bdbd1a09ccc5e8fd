// Wall-clock times held against Temporal: twenty zones, five years, every change of the clocks.

import fc from 'fast-check'
import { Temporal } from 'temporal-polyfill'
import { describe, expect, test } from 'vitest'
import { instantAt, startOfDay } from '../../../lib/core/schedule/instants.ts'
import { addDays, dayIn, isTimeZone, wallTime } from '../../../lib/core/schedule/zoned.ts'
import { zones } from './zones.ts'

const firstDay = '2023-01-01'
const days = Array.from({ length: 5 * 366 }, (_, index) => addDays(firstDay, index))

const temporalInstant = (day: string, time: string, zone: string) =>
  Temporal.PlainDateTime.from(`${day}T${time}`).toZonedDateTime(zone).epochMilliseconds

describe.each(zones)('in %s', (zone) => {
  test('each day of five years begins when Temporal says, and 09:00 and 02:30 are its', () => {
    const wrong = days.flatMap((day) =>
      ['00:00:00', '02:30:00', '09:00:00'].filter(
        (time) => instantAt({ day, time }, zone).getTime() !== temporalInstant(day, time, zone),
      ),
    )
    const begins = days.filter(
      (day) =>
        startOfDay(day, zone).getTime() !==
        Temporal.PlainDate.from(day).toZonedDateTime(zone).epochMilliseconds,
    )

    expect([wrong, begins]).toEqual([[], []])
  })

  test('any instant shows the time that Temporal shows', () => {
    const [from, to] = [Date.parse('1950-01-01'), Date.parse('2060-01-01')]
    fc.assert(
      fc.property(fc.integer({ min: from, max: to }), (at) => {
        const { day, time } = wallTime(new Date(at), zone)
        const shown = Temporal.Instant.fromEpochMilliseconds(at).toZonedDateTimeISO(zone).toPlainDateTime()
        expect(`${day}T${time}`).toBe(shown.toString({ fractionalSecondDigits: 0 }))
        expect(dayIn(new Date(at), zone)).toBe(day)
      }),
      { numRuns: 300 },
    )
  })
})

test('a day that a zone left out is read with the offset before', () => {
  expect(instantAt({ day: '2011-12-30', time: '12:00:00' }, 'Pacific/Apia').getTime()).toBe(
    temporalInstant('2011-12-30', '12:00:00', 'Pacific/Apia'),
  )
})

test.each(['Europe/Berlin', 'UTC', 'Etc/GMT+5', 'America/Argentina/Buenos_Aires'])(
  '%s is a time zone',
  (name) => {
    expect(isTimeZone(name)).toBe(true)
  },
)

test.each([
  '',
  '+02:00',
  'Mars/Olympus',
  'Europe',
  '../etc/passwd',
  `Europe/${'x'.repeat(100)}`,
  'Europe/Berlin\n',
])('%j is none', (name) => {
  expect(isTimeZone(name)).toBe(false)
})
