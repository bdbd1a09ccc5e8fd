// The times at which a schedule is due: the days of a recurrence rule, at its time of day, as clocks of a zone show it.
// A time that clocks skip comes as much later as they are put forward; of one that comes twice, the first counts. So
// every day of the rule has one time, and one only.

import { instantAt } from './instants.ts'
import { daysFrom, remembersDay } from './next-occurrence.ts'
import { type Recurrence, weekdayOf, weekdays } from './recurrence.ts'
import { addDays, dayIn, dayMs } from './zoned.ts'

export type Schedule = {
  rule: Recurrence
  /** HH:MM. */
  time: string
  /** IANA time zone. */
  zone: string
  /** The first day that counts, YYYY-MM-DD; intervals are counted from it. */
  startsOn: string
}

/** Days that are looked at, exceptions among them. */
const maxDays = 1200

/** The first time after an instant; `null`: it does not come again. */
export function nextDue(schedule: Schedule, after: Date): Date | null {
  return dueTimes(schedule, after).next().value ?? null
}

/** How often it is due after an instant, up to and including another. */
export function countDue(schedule: Schedule, after: Date, until: Date): number {
  let count = 0
  for (const at of dueTimes(schedule, after)) {
    if (at > until) break
    count += 1
  }
  return count
}

/** The times after an instant, in order. */
function* dueTimes({ rule, time, zone, startsOn }: Schedule, after: Date): Generator<Date, undefined> {
  const first = addDays(startsOn, -1)
  // A day before, since a skipped time may fall on the day after its own.
  const near = addDays(dayIn(after, zone), -2)
  const from = rule.count === null ? anchorOf(rule, startsOn, near) : startsOn
  const days = daysFrom(remembersDay(rule, startsOn), from)
  let day = rule.count === null && near > first ? near : first
  for (let counted = 0; counted < (rule.count ?? maxDays); counted += 1) {
    const next = days.after(day)
    if (next === null || (rule.until !== null && next > rule.until)) return
    day = next
    const at = instantAt({ day, time: `${time}:00` }, zone)
    if (at > after && !rule.except.includes(day)) yield at
  }
}

/** A day that intervals can be counted from as well as from the first one, and close to `day`: so counting stays short. */
function anchorOf({ every, interval }: Recurrence, startsOn: string, day: string): string {
  if (every !== 'day' && every !== 'week') return startsOn
  const period = interval * (every === 'week' ? 7 : 1)
  const passed = Math.floor((Date.parse(day) - Date.parse(startsOn)) / dayMs / period) - 1
  return passed > 0 ? addDays(startsOn, passed * period) : startsOn
}

/** How far back the last due time is looked for, in days. */
const windows = [1, 8, 40, 400, 4000]

/** The last time from `due`, which is one, up to an instant. */
export function lastDue(schedule: Schedule, due: Date, until: Date): Date {
  const begins = windows
    .map((days) => new Date(until.getTime() - days * dayMs))
    .filter((from) => from > due)
    .concat(due)
  for (const from of begins) {
    let last: Date | null = null
    for (const at of dueTimes(schedule, from)) {
      if (at > until) break
      last = at
    }
    if (last !== null) return last
  }
  return due
}

/** Whether a time that was missed may still be made up for on a day: one that its rule names by weekday, on such a day. */
export function mayBeLateOn({ rule, startsOn }: Schedule, day: string): boolean {
  const named = rule.days.length > 0 ? rule.days.map(weekdayOf) : []
  const own = rule.every === 'week' && named.length === 0 ? [weekdayOn(startsOn)] : named
  return own.length === 0 || own.includes(weekdayOn(day))
}

/** 1 January 2024 was a Monday. */
const weekdayOn = (day: string) => {
  const since = Math.round((Date.parse(day) - Date.parse('2024-01-01')) / dayMs)
  return weekdays[((since % 7) + 7) % 7]!
}

/** Hours of a day, HH:MM, that may go over midnight; the end is not in them. */
export type Hours = { from: string; until: string }

/** Whether a time of day is in hours. */
export const isWithin = (time: string, { from, until }: Hours): boolean =>
  from <= until ? time >= from && time < until : time >= from || time < until
