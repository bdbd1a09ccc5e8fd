import { describe, expect, test } from 'vitest'
import { findDate, readDate } from '../../lib/ai/offline/dates/find-date.ts'

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
    ['next week', '2026-03-09'],
    ['next month', '2026-04-01'],
    ['end of the month', '2026-03-31'],
    ['3 March', '2026-03-03'],
    ['2 March', '2027-03-02'],
    ['March 15th, 2026', '2026-03-15'],
    ['the 3rd of April', '2026-04-03'],
    ['on the 1st', '2026-04-01'],
    ['2026-12-24', '2026-12-24'],
    ['24.12.2026', '2026-12-24'],
  ])('%s', (text, day) => {
    expect(readDate(text, tuesday)).toBe(day)
  })

  test.each(['31 June', 'soon', '2026-02-30', 'friday the report', '', '3/4/2026', 'may'])(
    'but not %j',
    (text) => {
      expect(readDate(text, tuesday)).toBeNull()
    },
  )

  test('the last of the month stays in the month', () => {
    expect(readDate('in a month', new Date(2026, 0, 31))).toBe('2026-02-28')
  })

  test('a day late in the evening is still that day', () => {
    expect(readDate('today', new Date(2026, 2, 3, 23, 59))).toBe('2026-03-03')
  })

  test('the next first in December is in the next year', () => {
    expect(readDate('the 1st', new Date(2026, 11, 5))).toBe('2027-01-01')
  })
})

describe('a date in a text', () => {
  test.each([
    ['call Ann tomorrow', 'call Ann', '2026-03-04'],
    ['tomorrow: call Ann', 'call Ann', '2026-03-04'],
    ['send the report by 15 March', 'send the report', '2026-03-15'],
    ['book a table for Friday', 'book a table for Friday', '2026-03-06'],
  ])('%s', (text, rest, due_on) => {
    expect(findDate(text, tuesday)).toEqual({ rest, due_on })
  })

  test.each([
    'type up the notes from Monday',
    'water the plants every Friday',
    'read the March issue',
    'meet Sun',
  ])('that says nothing of when it is due: %s', (text) => {
    expect(findDate(text, tuesday)).toBeNull()
  })
})
