// How something repeats, as a recurrence rule of RFC 5545 in days: FREQ, INTERVAL, BYDAY, BYMONTHDAY, BYMONTH, BYSETPOS,
// WKST, COUNT, UNTIL, and EXDATE as a line of its own. Read and written here; described in
// describe-recurrence.ts, counted in next-occurrence.ts.

export const weekdays = ['MO', 'TU', 'WE', 'TH', 'FR', 'SA', 'SU'] as const
export type Weekday = (typeof weekdays)[number]

export type Recurrence = {
  every: 'day' | 'week' | 'month' | 'year'
  interval: number
  /** BYDAY: `MO`, or of a month or year `2TU` and `-1FR`. Empty: the day of the due date. */
  days: readonly string[]
  /** BYMONTHDAY; -1 is the last. One day alone is the last day of a month that has fewer. */
  monthDays: readonly number[]
  months: readonly number[]
  /** BYSETPOS: which of a period's days. */
  positions: readonly number[]
  /** WKST; `null`: Monday. */
  weekStart: Weekday | null
  /** How often it still comes, the due date included; `null`: no limit. */
  count: number | null
  /** The last day, YYYY-MM-DD. */
  until: string | null
  /** EXDATE: days on which it does not come. */
  except: readonly string[]
  /** BYHOUR and BYMINUTE, HH:MM: the time of a reminder that clocks skipped the last time. */
  time: string | null
}

/** A rule with nothing but how often. */
export const plainRecurrence = (every: Recurrence['every'], interval = 1): Recurrence => ({
  every,
  interval,
  days: [],
  monthDays: [],
  months: [],
  positions: [],
  weekStart: null,
  count: null,
  until: null,
  except: [],
  time: null,
})

/** Characters of a rule with its exceptions. */
export const maxRecurrence = 1000

const frequencies = { DAILY: 'day', WEEKLY: 'week', MONTHLY: 'month', YEARLY: 'year' } as const
const maxInterval = 365
const maxCount = 1000
const maxExceptions = 50

class RuleProblem extends Error {}

/** `null` for a text that is no rule, or has a part that is not supported; `recurrenceProblem` says which. */
export function parseRecurrence(text: string): Recurrence | null {
  const read = readRecurrence(text)
  return typeof read === 'string' ? null : read
}

/** What is wrong with a rule, naming the part; `null` for a good one. */
export function recurrenceProblem(text: string): string | null {
  const read = readRecurrence(text)
  return typeof read === 'string' ? read : null
}

function readRecurrence(text: string): Recurrence | string {
  if (text.length > maxRecurrence) return `A recurrence rule has at most ${maxRecurrence} characters.`
  try {
    const { rule, except } = readLines(text)
    return checked({ ...readParts(rule), except })
  } catch (error) {
    if (error instanceof RuleProblem) return error.message
    throw error
  }
}

function fail(problem: string): never {
  throw new RuleProblem(problem)
}

/** The value of the RRULE line, and the days of EXDATE lines. */
function readLines(text: string): { rule: string; except: string[] } {
  const rules: string[] = []
  const except = new Set<string>()
  for (const line of text.toUpperCase().split(/\r?\n/)) {
    const [, name, value = ''] = /^([A-Z-]+)(?:;[A-Z-]+=[^:;]*)*:(.*)$/.exec(line) ?? []
    if (line.trim() === '') continue
    if (name === undefined || name === 'RRULE') rules.push((name === undefined ? line : value).trim())
    else if (name === 'EXDATE') for (const day of value.split(',')) except.add(dayOf('EXDATE', day.trim()))
    else fail(`${name.slice(0, 40)} is not supported: a rule has RRULE and EXDATE lines.`)
  }
  if (rules.length !== 1) fail('One recurrence rule is needed, such as FREQ=WEEKLY;BYDAY=MO.')
  if (except.size > maxExceptions) fail(`EXDATE: at most ${maxExceptions} days.`)
  return { rule: rules[0]!, except: [...except].sort() }
}

/** The day of a DATE or DATE-TIME of RFC 5545. */
function dayOf(part: string, value: string): string {
  const [, year, month, date] = /^(\d{4})-?(\d\d)-?(\d\d)(?:T\d{2}:?\d{2}:?\d{2}Z?)?$/.exec(value) ?? []
  const day = `${year}-${month}-${date}`
  const at = Date.parse(`${day}T00:00:00Z`)
  if (Number.isNaN(at) || new Date(at).toISOString().slice(0, 10) !== day)
    fail(`${part}=${value.slice(0, 40)} is not a date such as 20261231.`)
  return day
}

function readParts(rule: string): Recurrence {
  const parts = rule.split(';').map((part) => {
    const at = part.indexOf('=')
    return [part.slice(0, Math.max(at, 0)).trim(), at < 0 ? '' : part.slice(at + 1).trim()] as const
  })
  const values = new Map(parts)
  for (const [name] of parts) if (!readers.has(name)) fail(unsupported(name))
  if (values.size !== parts.length) fail('A part stands twice in the rule.')
  const frequency = values.get('FREQ')
  if (frequency === undefined) fail('FREQ is missing, such as FREQ=WEEKLY.')
  const every = frequencies[frequency as keyof typeof frequencies]
  if (!every) fail(`FREQ=${frequency.slice(0, 40)} is not supported: DAILY, WEEKLY, MONTHLY or YEARLY.`)
  const numbers = (name: string, max: number, negative = false) =>
    values.has(name) ? listOf(name, values.get(name)!, { max, negative }) : []
  const one = (name: string, max: number) =>
    values.has(name) ? numberOf(name, values.get(name)!, { min: 1, max }) : null
  const until = values.get('UNTIL')
  const weekStart = values.get('WKST')
  if (weekStart !== undefined && !isWeekday(weekStart)) fail(`WKST=${weekStart.slice(0, 40)} is no weekday.`)
  return {
    ...plainRecurrence(every, one('INTERVAL', maxInterval) ?? 1),
    days: values.has('BYDAY') ? daysOf(values.get('BYDAY')!, every) : [],
    monthDays: numbers('BYMONTHDAY', 31, true),
    months: numbers('BYMONTH', 12),
    positions: numbers('BYSETPOS', 366, true),
    weekStart: weekStart ?? null,
    count: one('COUNT', maxCount),
    until: until === undefined ? null : dayOf('UNTIL', until),
    time: timeOf(values.get('BYHOUR'), values.get('BYMINUTE')),
  }
}

const readers = new Set(
  'FREQ INTERVAL BYDAY BYMONTHDAY BYMONTH BYSETPOS WKST COUNT UNTIL BYHOUR BYMINUTE'.split(' '),
)

function unsupported(name: string): string {
  const shown = name.slice(0, 40)
  if (shown === '') return 'Not a recurrence rule. One looks like FREQ=WEEKLY;BYDAY=MO.'
  return shown === 'EXDATE'
    ? 'EXDATE is a line of its own below the rule, such as EXDATE:20261225.'
    : `${shown} is not supported in a recurrence rule.`
}

const isWeekday = (text: string): text is Weekday => (weekdays as readonly string[]).includes(text)

function numberOf(name: string, value: string, { min, max }: { min: number; max: number }): number {
  const number = /^[+-]?\d{1,4}$/.test(value) ? Number(value) : Number.NaN
  if (!(number >= min && number <= max))
    fail(`${name}=${value.slice(0, 40)}: a whole number from ${min} to ${max} is needed.`)
  return number
}

function listOf(
  name: string,
  value: string,
  { max, negative }: { max: number; negative: boolean },
): number[] {
  const numbers = value.split(',').map((each) => numberOf(name, each, { min: negative ? -max : 1, max }))
  if (numbers.includes(0)) fail(`${name}=0 is no day.`)
  return [...new Set(numbers)].sort((a, b) => a - b)
}

function daysOf(value: string, every: Recurrence['every']): string[] {
  const days = value.split(',').map((each) => {
    const [, ordinal, day = ''] = /^([+-]?[1-9]\d?)?([A-Z]{2})$/.exec(each) ?? []
    if (!isWeekday(day)) fail(`BYDAY=${each.slice(0, 40)} is no weekday such as MO or 2TU.`)
    if (ordinal === undefined) return day
    if (every !== 'month' && every !== 'year') fail(`BYDAY=${each} needs FREQ=MONTHLY or FREQ=YEARLY.`)
    if (Math.abs(Number(ordinal)) > (every === 'month' ? 5 : 53)) fail(`BYDAY=${each} never comes.`)
    return `${Number(ordinal)}${day}`
  })
  return [...new Set(days)].sort((a, b) => orderOf(a) - orderOf(b))
}

/** Without a number by weekday; with one, by the number and the weekday. */
const orderOf = (day: string): number => ordinalOf(day) * 7 + weekdays.indexOf(weekdayOf(day))

/** The weekday of `2TU`. */
export const weekdayOf = (day: string) => day.slice(-2) as Weekday
/** The number of `2TU`; 0: every one. */
export const ordinalOf = (day: string): number => Number(day.slice(0, -2))

function timeOf(hour: string | undefined, minute: string | undefined): string | null {
  if (hour === undefined && minute === undefined) return null
  if (hour === undefined || minute === undefined) fail('BYHOUR and BYMINUTE are supported together only.')
  const two = (name: string, value: string, max: number) =>
    String(numberOf(name, value, { min: 0, max })).padStart(2, '0')
  return `${two('BYHOUR', hour, 23)}:${two('BYMINUTE', minute, 59)}`
}

/** Days of the month of a leap year. */
const monthLengths = [31, 29, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31]

function checked(rule: Recurrence): Recurrence {
  const { every, days, monthDays, months, positions, count, until } = rule
  if (count !== null && until !== null) fail('COUNT and UNTIL exclude each other.')
  if (every === 'week' && monthDays.length > 0) fail('BYMONTHDAY needs FREQ=DAILY, MONTHLY or YEARLY.')
  if (positions.length > 0 && days.length + monthDays.length + months.length === 0)
    fail('BYSETPOS needs BYDAY, BYMONTHDAY or BYMONTH.')
  const longest = Math.max(...(months.length > 0 ? months : [1]).map((month) => monthLengths[month - 1]!))
  // One day alone is the last of a shorter month.
  if (!clampsDay(rule) && monthDays.length > 0 && monthDays.every((day) => Math.abs(day) > longest))
    fail(`BYMONTHDAY=${monthDays.join(',')} never comes in BYMONTH=${months.join(',')}.`)
  return rule
}

/** Whether a day that a month lacks is its last: by habit of people and not of RFC 5545, which leaves that month out. */
export const clampsDay = ({ every, days, monthDays, months, positions }: Recurrence): boolean =>
  (every === 'month' || every === 'year') &&
  days.length + months.length + positions.length === 0 &&
  (monthDays.length === 0 || (monthDays.length === 1 && monthDays[0]! > 0))

/** As it is stored: the same rule always as the same text. */
export function formatRecurrence(rule: Recurrence): string {
  const { except, time } = rule
  const list = (name: string, values: readonly unknown[]) =>
    values.length > 0 && `${name}=${values.join(',')}`
  const text = [
    `FREQ=${Object.entries(frequencies).find(([, name]) => name === rule.every)![0]}`,
    rule.interval > 1 && `INTERVAL=${rule.interval}`,
    list('BYMONTH', rule.months),
    list('BYMONTHDAY', rule.monthDays),
    list('BYDAY', rule.days),
    time !== null && `BYHOUR=${Number(time.slice(0, 2))};BYMINUTE=${Number(time.slice(3))}`,
    list('BYSETPOS', rule.positions),
    rule.weekStart !== null && `WKST=${rule.weekStart}`,
    rule.count !== null && `COUNT=${rule.count}`,
    rule.until !== null && `UNTIL=${compact(rule.until)}`,
  ]
    .filter(Boolean)
    .join(';')
  return except.length === 0 ? text : `RRULE:${text}\nEXDATE;VALUE=DATE:${except.map(compact).join(',')}`
}

const compact = (day: string) => day.replaceAll('-', '')
