import { describe, expect, test } from 'vitest'
import { extractDay, parseDay, parseMoment } from '../../../../lib/core/text/dates/extract-day.ts'

/** A Tuesday. */
const tuesday = new Date(2026, 2, 3, 10, 0)

describe('a text that is a date', () => {
  test.each([
    ['today', '2026-03-03'],
    ['tomorrow', '2026-03-04'],
    ['the day after tomorrow', '2026-03-05'],
    ['friday', '2026-03-06'],
    ['tuesday', '2026-03-10'],
    ['next friday', '2026-03-13'],
    ['on Friday', '2026-03-06'],
    ['in two weeks', '2026-03-17'],
    ['in 3 days', '2026-03-06'],
    ['in a month', '2026-04-03'],
    ['next week', '2026-03-10'],
    ['next month', '2026-04-03'],
    ['end of the month', '2026-03-31'],
    ['3 March', '2026-03-03'],
    ['2 March', '2027-03-02'],
    ['March 15th, 2026', '2026-03-15'],
    ['the 3rd of April', '2026-04-03'],
    ['2026-12-24', '2026-12-24'],
    ['24.12.2026', '2026-12-24'],
    ['24/12', '2026-12-24'],
    ['24/12/2027', '2027-12-24'],
    ['3 Dec', '2026-12-03'],
    ['next monday', '2026-03-09'],
  ])('%s', (text, day) => {
    expect(parseDay(text, tuesday)).toBe(day)
  })

  test.each(['31 June', 'soon', '2026-02-30', 'friday the report', '', '3/4/2026', '12/12', 'may'])(
    'but not %j',
    (text) => {
      expect(parseDay(text, tuesday)).toBeNull()
    },
  )

  test.each([
    ['yesterday', '2026-03-02'],
    ['last monday', '2026-03-02'],
    ['monday', '2026-03-02'],
    ['friday', '2026-02-27'],
    ['3 days ago', '2026-02-28'],
    ['a week ago', '2026-02-24'],
    ['3 Nov', '2025-11-03'],
    ['3 Nov 2024', '2024-11-03'],
    ['2026-01-02', '2026-01-02'],
  ])('of the past: %s', (text, day) => {
    expect(parseDay(text, tuesday, 'past')).toBe(day)
  })

  test.each(['soon', '3/4/2026', 'since monday', '', 'x'.repeat(100)])('of the past, but not %j', (text) => {
    expect(parseDay(text, tuesday, 'past')).toBeNull()
  })

  test('a day late in the evening is still that day', () => {
    expect(parseDay('today', new Date(2026, 2, 3, 23, 59))).toBe('2026-03-03')
  })
})

describe('a date in a text', () => {
  test.each([
    ['call Ann tomorrow', 'call Ann', '2026-03-04'],
    ['tomorrow: call Ann', 'call Ann', '2026-03-04'],
    ['send the report by 15 March', 'send the report', '2026-03-15'],
    ['see the dentist on 12 May at 10', 'see the dentist at 10', '2026-05-12'],
    ['call Ann tomorrow at 9am', 'call Ann at 9am', '2026-03-04'],
    ['book a table for Friday', 'book a table for Friday', '2026-03-06'],
  ])('%s', (text, rest, due_on) => {
    expect(extractDay(text, tuesday)).toMatchObject({ rest, day: due_on })
  })

  test.each([
    'type up the notes from Monday',
    'water the plants every Friday',
    'read the March issue',
    'meet Sun',
    'read for a month',
  ])('that says nothing of when it is due: %s', (text) => {
    expect(extractDay(text, tuesday)).toBeNull()
  })
})

describe('a moment', () => {
  test.each([
    ['call Ann tomorrow at 9am', 'call Ann', new Date(2026, 2, 4, 9)],
    ['see the dentist on 12 May at 10', 'see the dentist', new Date(2026, 4, 12, 10)],
    ['call dad 4 Dec 15:00', 'call dad', new Date(2026, 11, 4, 15)],
    ['call dad 4 Dec 3pm', 'call dad', new Date(2026, 11, 4, 15)],
    ['call dad 4 Dec, 3:30 pm.', 'call dad', new Date(2026, 11, 4, 15, 30)],
    ['call dad friday 18.30', 'call dad', new Date(2026, 2, 6, 18, 30)],
    ['call dad 15:00 on 4 Dec', 'call dad', new Date(2026, 11, 4, 15)],
    ['call dad tomorrow noon', 'call dad', new Date(2026, 2, 4, 12)],
    ['tomorrow at 9: call dad', 'call dad', new Date(2026, 2, 4, 9)],
    ['tomorrow 9:15, call dad', 'call dad', new Date(2026, 2, 4, 9, 15)],
  ])('is in a text: %s', (text, rest, at) => {
    expect(extractDay(text, tuesday)?.moment).toEqual({ rest, at })
  })

  test.each([
    ['tomorrow at 9am', new Date(2026, 2, 4, 9)],
    ['3 Dec, 14:30', new Date(2026, 11, 3, 14, 30)],
    ['25 Nov 2026, 09:05', new Date(2026, 10, 25, 9, 5)],
    ['next friday', new Date(2026, 2, 13, 9)],
  ])('is a text: %s', (text, at) => {
    expect(parseMoment(text, tuesday)).toEqual(at)
  })

  test.each(['soon', 'gibberish', '3/4 at 9', 'call Ann tomorrow', '', 'x'.repeat(100)])(
    'is not %j',
    (text) => {
      expect(parseMoment(text, tuesday)).toBeNull()
    },
  )
})
