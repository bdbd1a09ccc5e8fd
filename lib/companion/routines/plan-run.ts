// When a routine runs. What fires it and what is shown both ask here. Pure: the clock is an argument.

import {
  countDue,
  type Hours,
  isWithin,
  lastDue,
  mayBeLateOn,
  nextDue,
  type Schedule,
} from '../../core/schedule/due-times.ts'
import { instantAt } from '../../core/schedule/instants.ts'
import { formatRecurrence, parseRecurrence, recurrenceProblem } from '../../core/schedule/recurrence.ts'
import { addDays, dayIn, dayMs, wallTime } from '../../core/schedule/zoned.ts'
import type { NextTimes, RoutineRow } from '../../db/repos/routines.ts'

type Times = Pick<RoutineRow, 'schedule' | 'at_time' | 'time_zone' | 'starts_on'>

/** `null`: it runs after an event. */
function scheduleOf({ schedule, at_time, time_zone, starts_on }: Times): Schedule | null {
  const rule = schedule === null ? null : parseRecurrence(schedule)
  return rule && at_time !== null ? { rule, time: at_time, zone: time_zone, startsOn: starts_on } : null
}

/** A rule as it is stored, and its time of day in a zone; or a sentence that says what is wrong with it. */
export function readSchedule(
  text: string,
  zone: string,
): { schedule: string; at_time: string } | { problem: string } {
  const whole = text
    .replace(/;BYSECOND=0(?=;|\s|$)/i, '')
    .replace(/^(?!.*BYMINUTE)(.*BYHOUR=.*)$/im, '$1;BYMINUTE=0')
  const rule = parseRecurrence(whole)
  if (!rule) return { problem: recurrenceProblem(whole) ?? 'Not a recurrence rule.' }
  const { time: at_time, ...days } = rule
  if (at_time === null) return { problem: 'BYHOUR and BYMINUTE are missing, such as BYHOUR=17;BYMINUTE=0.' }
  const until = lastDay(whole, at_time, zone) ?? days.until
  return { schedule: formatRecurrence({ ...days, until, time: null }), at_time }
}

/** The last day on which a time comes before UNTIL, where that has a time; `null`: it has none. */
function lastDay(text: string, at_time: string, zone: string): string | null {
  const [, year, month, date, hour, minute, second, utc] =
    /UNTIL=(\d{4})-?(\d\d)-?(\d\d)T(\d\d):?(\d\d):?(\d\d)(Z?)/i.exec(text) ?? []
  if (year === undefined) return null
  const written = { day: `${year}-${month}-${date}`, time: `${hour}:${minute}:${second}` }
  const instant = new Date(`${written.day}T${written.time}Z`)
  const { day, time } = utc && !Number.isNaN(instant.getTime()) ? wallTime(instant, zone) : written
  return `${at_time}:00` <= time ? day : addDays(day, -1)
}

/** The day from which a schedule counts: today, or with COUNT the first on which its time is still to come. */
export function firstDay(row: Times, now: Date): string {
  const today = dayIn(now, row.time_zone)
  const schedule = scheduleOf({ ...row, starts_on: today })
  if (!schedule || schedule.rule.count === null) return today
  const first = nextDue({ ...schedule, rule: { ...schedule.rule, count: null } }, now)
  return first === null ? today : dayIn(first, row.time_zone)
}

/** The rule with its time of day, as the owner wrote it. */
export function showSchedule(row: Times): string {
  const schedule = scheduleOf(row)
  return schedule ? formatRecurrence({ ...schedule.rule, time: schedule.time }) : ''
}

export const quietOf = ({
  quiet_from,
  quiet_until,
}: Pick<RoutineRow, 'quiet_from' | 'quiet_until'>): Hours | null =>
  quiet_from === null || quiet_until === null ? null : { from: quiet_from, until: quiet_until }

/** Why a routine could never run by its schedule; `null`: it can. */
export function scheduleProblem(row: Times & Parameters<typeof quietOf>[0], now: Date): string | null {
  const schedule = scheduleOf(row)
  if (!schedule) return null
  const quiet = quietOf(row)
  if (quiet && isWithin(schedule.time, quiet)) return `${schedule.time} is within its quiet hours.`
  return nextDue(schedule, now) === null ? 'This schedule never comes.' : null
}

/** The first time after `after`; none for a routine that is off, or that runs after events. */
export function nextTimes(row: Times & Pick<RoutineRow, 'enabled'>, after: Date, now: Date): NextTimes {
  const schedule = row.enabled ? scheduleOf(row) : null
  const due = (schedule && nextDue(schedule, after)?.toISOString()) ?? null
  return { next_due_at: due, next_start_at: due, computed_at: now.toISOString() }
}

const monthDays = 30

/** `null`: nobody can tell how often its event comes. */
export function runsInMonth(row: Times, now: Date): number | null {
  const schedule = scheduleOf(row)
  return schedule && countDue(schedule, now, new Date(now.getTime() + monthDays * dayMs))
}

export type Plan =
  | { action: 'run'; due: Date }
  | { action: 'skip'; due: Date; problem: string }
  /** Quiet hours. */
  | { action: 'wait'; until: Date }

/** A start later than this is that of a missed time. */
const lateMs = 15 * 60_000

/**
 * What becomes of a routine whose time has come: of times that were missed the last one counts, once, if the day is still
 * one of its weekdays.
 */
export function planRun(row: RoutineRow, now: Date): Plan | null {
  if (row.next_due_at === null) return null
  const first = new Date(row.next_due_at)
  const schedule = scheduleOf(row)
  if (schedule && first > now) return null
  const quietUntil = endOfQuiet(row, now)
  if (quietUntil) return { action: 'wait', until: quietUntil }
  if (!schedule) return { action: 'run', due: first }
  const due = lastDue(schedule, first, now)
  const isLate = now.getTime() - due.getTime() > lateMs
  if (isLate && !mayBeLateOn(schedule, wallTime(now, schedule.zone).day))
    return { action: 'skip', due, problem: 'This time was missed, and its weekday has passed.' }
  return { action: 'run', due }
}

/** When quiet hours end that it is in now; `null`: it is not in them. */
function endOfQuiet(
  row: Pick<RoutineRow, 'quiet_from' | 'quiet_until' | 'time_zone'>,
  now: Date,
): Date | null {
  const quiet = quietOf(row)
  const { day, time } = wallTime(now, row.time_zone)
  const clock = time.slice(0, 5)
  if (!quiet || !isWithin(clock, quiet)) return null
  const ends = clock < quiet.until ? day : addDays(day, 1)
  return instantAt({ day: ends, time: `${quiet.until}:00` }, row.time_zone)
}
