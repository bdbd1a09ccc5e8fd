import { dayText } from './day-text.ts'
import { ordinalOf, type Recurrence, weekdayOf, weekdays } from './recurrence.ts'

const workdays = 'MO,TU,WE,TH,FR'

/** In words, such as "every 2 weeks on Monday and Friday" or "every month on the last Friday, 3 more times". */
export function describeRecurrence(rule: Recurrence): string {
  const { time, count, until, except } = rule
  return [
    time === null ? describeDays(rule) : `${describeDays(rule)} at ${time}`,
    count !== null && `${count} ${count === 1 ? 'more time' : 'more times'}`,
    until !== null && `until ${dayText(until)}`,
    except.length > 0 && `except ${listed(except.map(dayText))}`,
  ]
    .filter(Boolean)
    .join(', ')
}

function describeDays({ every, interval, days, monthDays, months, positions }: Recurrence): string {
  const isPlain = monthDays.length + months.length + positions.length === 0
  const isByWeekday = interval === 1 && (every === 'week' || every === 'day') && isPlain
  if (isByWeekday && days.join() === workdays) return 'every weekday'
  const names = days.map((day) => {
    const name = dayName(weekdays.indexOf(weekdayOf(day)))
    return ordinalOf(day) === 0 ? name : `the ${ordinal(ordinalOf(day))}${name}`
  })
  if (isByWeekday && (names.length === 1 || (every === 'day' && names.length > 1)))
    return `every ${listed(names)}`
  const unit = interval === 1 ? `every ${every}` : `every ${interval} ${every}s`
  const on = [
    positions.length > 0 && `the ${listed(positions.map((each) => ordinal(each).trim()))} of`,
    monthDays.length > 0 && every !== 'day' && listed(monthDays.map(monthDayWords)),
    monthDays.length > 0 && every === 'day' && `day ${listed(monthDays.map(String))}`,
    names.length > 0 && `${monthDays.length > 0 ? 'if it is ' : ''}${listed(names)}`,
  ].filter(Boolean)
  return [
    unit,
    on.length > 0 && `on ${on.join(' ')}`,
    months.length > 0 && `in ${listed(months.map(monthName))}`,
  ]
    .filter(Boolean)
    .join(' ')
}

const monthDayWords = (day: number) => (day > 0 ? `day ${day}` : `the ${ordinal(day)}day`)

const listed = (words: readonly string[]): string =>
  words.length > 1 ? `${words.slice(0, -1).join(', ')} and ${words.at(-1)}` : (words[0] ?? '')

/** With a space behind: "first ", "last ", "second last ". */
function ordinal(number: number): string {
  if (number === -1) return 'last '
  const words = ['', 'first', 'second', 'third', 'fourth', 'fifth']
  const size = Math.abs(number)
  const ending = { 1: 'st', 2: 'nd', 3: 'rd' }[size % 10]
  const word = words[size] ?? `${size}${ending && Math.floor(size / 10) % 10 !== 1 ? ending : 'th'}`
  return `${word} ${number < 0 ? 'last ' : ''}`
}

const nameOf = (parts: Intl.DateTimeFormatOptions, at: number) =>
  new Intl.DateTimeFormat('en-GB', { ...parts, timeZone: 'UTC' }).format(at)
/** A year that begins on a Monday. */
const dayName = (index: number) => nameOf({ weekday: 'long' }, Date.UTC(2024, 0, 1 + index))
const monthName = (month: number) => nameOf({ month: 'long' }, Date.UTC(2024, month - 1))
