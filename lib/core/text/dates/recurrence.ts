// How a task repeats, as the part of an RRULE (RFC 5545) that people use: FREQ, INTERVAL, BYDAY of a week, and one
// BYMONTHDAY, which is the last day of a month that has fewer.

export const weekdays = ['MO', 'TU', 'WE', 'TH', 'FR', 'SA', 'SU'] as const
export type Weekday = (typeof weekdays)[number]

export type Recurrence = {
  every: 'day' | 'week' | 'month' | 'year'
  interval: number
  /** Of a week, in its order; empty: the day of the due date. */
  days: readonly Weekday[]
  /** `null`: the day of the due date. */
  monthDay: number | null
}

const frequencies = { DAILY: 'day', WEEKLY: 'week', MONTHLY: 'month', YEARLY: 'year' } as const
const maxInterval = 365

/** `null` for a text that is no rule, or one of another kind. */
export function parseRecurrence(text: string): Recurrence | null {
  if (text.length > 100) return null
  const parts = text
    .toUpperCase()
    .replace(/^RRULE:/, '')
    .split(';')
    .map((part) => part.split('='))
  const values = new Map(parts.map(([name = '', value = '']) => [name, value]))
  const every = frequencies[values.get('FREQ') as keyof typeof frequencies]
  const interval = Number(values.get('INTERVAL') ?? 1)
  const given = values.get('BYDAY')?.split(',') ?? []
  const days = weekdays.filter((day) => given.includes(day))
  const monthDay = values.has('BYMONTHDAY') ? Number(values.get('BYMONTHDAY')) : null
  const isKnown = [...values.keys()].every((name) =>
    ['FREQ', 'INTERVAL', 'BYDAY', 'BYMONTHDAY'].includes(name),
  )
  if (!every || !isKnown || values.size !== parts.length || days.length !== given.length) return null
  if (!Number.isInteger(interval) || interval < 1 || interval > maxInterval) return null
  if (days.length > 0 && every !== 'week') return null
  if (monthDay !== null && (!Number.isInteger(monthDay) || monthDay < 1 || monthDay > 31)) return null
  if (monthDay !== null && every !== 'month' && every !== 'year') return null
  return { every, interval, days, monthDay }
}

/** As it is stored: the same rule always as the same text. */
export function formatRecurrence({ every, interval, days, monthDay }: Recurrence): string {
  const frequency = Object.entries(frequencies).find(([, name]) => name === every)![0]
  return [
    `FREQ=${frequency}`,
    interval > 1 && `INTERVAL=${interval}`,
    days.length > 0 && `BYDAY=${days.join(',')}`,
    monthDay !== null && `BYMONTHDAY=${monthDay}`,
  ]
    .filter(Boolean)
    .join(';')
}

const dayNames = ['Monday', 'Tuesday', 'Wednesday', 'Thursday', 'Friday', 'Saturday', 'Sunday']
const workdays = 'MO,TU,WE,TH,FR'

/** In words, such as "every 2 weeks on Monday and Friday". */
export function describeRecurrence({ every, interval, days, monthDay }: Recurrence): string {
  if (interval === 1 && days.join() === workdays) return 'every weekday'
  const names = days.map((day) => dayNames[weekdays.indexOf(day)]!)
  if (interval === 1 && names.length === 1) return `every ${names[0]}`
  const unit = interval === 1 ? `every ${every}` : `every ${interval} ${every}s`
  const list = names.length > 1 ? `${names.slice(0, -1).join(', ')} and ${names.at(-1)}` : names[0]
  if (list) return `${unit} on ${list}`
  return every === 'month' && monthDay !== null ? `${unit} on day ${monthDay}` : unit
}

/**
 * The first day of the rule after one that is due and not before `today`, all YYYY-MM-DD; without a due date, after today.
 * The rule comes back with the day of the month that it is to remember: a task of the 31st is due on the 28th of February
 * and on the 31st again.
 */
export function nextOccurrence(
  rule: Recurrence,
  { due, today }: { due: string | null; today: string },
): { due: string; rule: Recurrence } {
  const from = due ?? today
  const { every } = rule
  const next =
    every === 'month' || every === 'year' ? nextByMonth(rule, from, today) : nextByDay(rule, from, today)
  const [, , day = 1] = from.split('-').map(Number)
  const remembers = (every === 'month' || every === 'year') && rule.monthDay === null && day > 28
  return { due: next, rule: remembers ? { ...rule, monthDay: day } : rule }
}

const dayMs = 86_400_000
const toMs = (day: string) => Date.parse(`${day}T00:00:00Z`)
const toDay = (ms: number) => new Date(Math.min(ms, toMs('9999-12-31'))).toISOString().slice(0, 10)
/** 0 is Monday. */
const weekdayOf = (ms: number) => (new Date(ms).getUTCDay() + 6) % 7

function nextByDay({ every, interval, days }: Recurrence, from: string, today: string): string {
  const start = toMs(from)
  const earliest = Math.max(start + dayMs, toMs(today))
  const period = (every === 'week' ? 7 : 1) * interval * dayMs
  if (days.length === 0) {
    return toDay(start + Math.max(1, Math.ceil((earliest - start) / period)) * period)
  }
  // Weeks begin on Monday, as RRULE has it.
  const monday = start - weekdayOf(start) * dayMs
  const offsets = days.map((day) => weekdays.indexOf(day) * dayMs)
  for (let week = monday + Math.floor((earliest - monday) / period) * period; ; week += period) {
    const found = offsets.find((offset) => week + offset >= earliest)
    if (found !== undefined) return toDay(week + found)
  }
}

function nextByMonth({ every, interval, monthDay }: Recurrence, from: string, today: string): string {
  const [year = 0, month = 1, day = 1] = from.split('-').map(Number)
  const step = interval * (every === 'year' ? 12 : 1)
  const [nowYear = 0, nowMonth = 1] = today.split('-').map(Number)
  const behind = (nowYear - year) * 12 + nowMonth - month
  for (let steps = Math.max(0, Math.floor(behind / step)); ; steps += 1) {
    const at = month - 1 + steps * step
    const last = new Date(Date.UTC(year, at + 1, 0)).getUTCDate()
    const found = toDay(Date.UTC(year, at, Math.min(monthDay ?? day, last)))
    if (found > from && found >= today) return found
    if (found === '9999-12-31') return found
  }
}
