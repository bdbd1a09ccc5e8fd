import { describe, expect, test } from 'vitest'
import { fillTemplate, formatMoment } from '../../../../lib/core/text/dates/format-moment.ts'

const evening = { day: '2026-11-24', time: '23:59' }
const fill = (text: string, title = 'Stores') => fillTemplate(text, { ...evening, title })

describe('a template', () => {
  test.each([
    ['{{date}} {{time}} {{title}}', '2026-11-24 23:59 Stores'],
    ['{{date:dddd D MMMM YYYY}}', 'Tuesday 24 November 2026'],
    ['{{ Date:ddd Do MMM YY }}', 'Tue 24th Nov 26'],
    ['{{time:H.mm}} {{date:HH}}', '23.59 23'],
    ['{{date:[Week] W}}', 'Week 48'],
    ['{{other}} {{date} {title}}', '{{other}} {{date} {title}}'],
  ])('%s becomes %s', (text, filled) => expect(fill(text)).toBe(filled))

  test('takes a title as it is, whatever it looks like', () => {
    expect(fill('# {{title}}', '$& {{date}}')).toBe('# $& {{date}}')
  })

  test('of nothing but fields does not grow without end', () => {
    const text = '{{title}}'.repeat(100_000)

    const filled = fill(text, 'x'.repeat(500))

    expect(filled.length).toBeLessThan(text.length + 500 * 1000)
  })
})

describe('a pattern', () => {
  test.each([
    ['2026-01-01', 'YYYY-[W]WW', '2026-W01'],
    ['2027-01-01', 'WW', '53'],
    ['2024-12-30', 'WW', '01'],
    ['2026-03-01', 'D/M', '1/3'],
    ['2026-03-11', 'Do', '11th'],
    ['2026-03-22', 'Do', '22nd'],
    ['2026-03-23', '[Do] Do', 'Do 23rd'],
  ])('of %s, %s, is %s', (day, pattern, text) => {
    expect(formatMoment({ day, time: '08:05' }, pattern)).toBe(text)
  })

  test('that is far too long is cut', () => {
    expect(formatMoment(evening, 'D'.repeat(1_000_000)).length).toBeLessThan(200)
  })
})
