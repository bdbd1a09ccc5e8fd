// Calendar days, as whole days in UTC so that no time zone or clock change can move one. "Today" is the server's own
// local day.

/** Milliseconds at the beginning of the day, as if it were in UTC. */
export type Day = number

const msPerDay = 86_400_000
const weekdays = ['Sunday', 'Monday', 'Tuesday', 'Wednesday', 'Thursday', 'Friday', 'Saturday']
export const months = [
  ...['January', 'February', 'March', 'April', 'May', 'June'],
  ...['July', 'August', 'September', 'October', 'November', 'December'],
]

export const dayOf = (date: Date): Day => Date.UTC(date.getFullYear(), date.getMonth(), date.getDate())

export const addDays = (day: Day, days: number): Day => day + days * msPerDay

/** A month later has the same date, or its last one: a month after 31 January is the end of February. */
export function addMonths(day: Day, count: number): Day {
  const date = new Date(day)
  const first = new Date(Date.UTC(date.getUTCFullYear(), date.getUTCMonth() + count, 1))
  const last = new Date(Date.UTC(first.getUTCFullYear(), first.getUTCMonth() + 1, 0)).getUTCDate()
  return first.getTime() + (Math.min(date.getUTCDate(), last) - 1) * msPerDay
}

/** 0 is Sunday. */
export const weekdayOf = (day: Day): number => new Date(day).getUTCDay()

/** `null` for a date that does not exist, such as 31 June. */
export function makeDay(year: number, month: number, date: number): Day | null {
  const day = new Date(Date.UTC(year, month - 1, date))
  const exists = day.getUTCMonth() === month - 1 && day.getUTCDate() === date && year >= 1900 && year < 2200
  return exists ? day.getTime() : null
}

/** YYYY-MM-DD */
export const formatDay = (day: Day): string => new Date(day).toISOString().slice(0, 10)

/** The reverse of `formatDay`, for the beginning of a text. */
export function readDay(text: string): Day | null {
  const found = /^(\d{4})-(\d\d)-(\d\d)/.exec(text)
  return found ? makeDay(Number(found[1]), Number(found[2]), Number(found[3])) : null
}

/** Such as "6 March 2026". */
export function spellDate(day: Day): string {
  const date = new Date(day)
  return `${date.getUTCDate()} ${months[date.getUTCMonth()]} ${date.getUTCFullYear()}`
}

/** Such as "Friday, 6 March 2026 (in 3 days)". */
export function spellDay(day: Day, today: Date): string {
  const away = distance(Math.round((day - dayOf(today)) / msPerDay))
  return `${weekdays[weekdayOf(day)]}, ${spellDate(day)} (${away})`
}

function distance(days: number): string {
  if (days === 0) return 'today'
  if (days === 1) return 'tomorrow'
  if (days === -1) return 'yesterday'
  return days > 0 ? `in ${days} days` : `${-days} days ago`
}
