// Which day of a rule comes next, and when a reminder of it is due. Days are counted by `rrule-temporal`, in UTC and
// without times, so that no clock change can move one; a time of day is put on them afterwards, in the owner's zone.

import { RRuleTemporal } from 'rrule-temporal'
import { instantAt } from './instants.ts'
import { clampsDay, formatRecurrence, type Recurrence } from './recurrence.ts'
import { addDays, dayMs, wallTime } from './zoned.ts'

/** Periods that are searched for a day before a rule counts as over: as many years, months, weeks or days. */
const maxPeriods = 2000
const maxCandidates = 100_000

/**
 * The first day of a rule after the one that is due and not before `today`, all YYYY-MM-DD; without a due date, after
 * today. `null`: the rule is over, by its COUNT or UNTIL, or because no day of it comes. The rule comes back with what it
 * is to remember: how often it still comes, the exceptions ahead, and the day of the month: a task of the 31st is due on
 * the 28th of February and on the 31st again.
 */
export function nextOccurrence(
  rule: Recurrence,
  { due, today }: { due: string | null; today: string },
): { due: string; rule: Recurrence } | null {
  const from = due ?? today
  const remembered = remembersDay(rule, from)
  const days = daysFrom(remembered, from)
  let [last, left] = [from, rule.count]
  // With a count each day that passed is one of it; without, those that passed are left out at once.
  if (left === null && from < today) last = addDays(today, -1)
  for (let turn = 0; turn <= rule.except.length + (rule.count ?? 0); turn += 1) {
    const next = days.after(last)
    if (left !== null) left -= 1
    if (next === null || left === 0 || (rule.until !== null && next > rule.until)) return null
    last = next
    if (next < today || rule.except.includes(next)) continue
    const except = rule.except.filter((day) => day > next)
    return { due: next, rule: { ...remembered, count: left, except } }
  }
  return null
}

/** The day of the month of a due date late in it, which shorter months would have it forget. */
export function remembersDay(rule: Recurrence, from: string): Recurrence {
  const day = Number(from.slice(8))
  if (!clampsDay(rule) || rule.monthDays.length > 0 || day <= 28) return rule
  return { ...rule, monthDays: [day] }
}

/** The days of a rule, counted from a day; `null` after the last one. COUNT, UNTIL and EXDATE are left to the caller. */
export function daysFrom(rule: Recurrence, from: string): { after(day: string): string | null } {
  const start = from.replaceAll('-', '')
  const counted = new RRuleTemporal({
    rruleString: `DTSTART:${start}T000000Z\nRRULE:${formatRecurrence(rfcRule(rule, from))}`,
    maxIterations: maxPeriods,
    maxCandidateEvaluations: maxCandidates,
  })
  return {
    after(day) {
      try {
        const found =
          counted
            .next(new Date(`${day}T00:00:00Z`))
            ?.toPlainDate()
            .toString() ?? null
        // Years beyond 9999 are no dates of the API.
        return found !== null && /^\d{4}-/.test(found) ? found : null
      } catch (error) {
        // It gave up searching: no day of the rule comes in any time that matters.
        if (error instanceof Error && /maximum|exceeded|out-of-bounds/i.test(error.message)) return null
        throw error
      }
    },
  }
}

/**
 * As RFC 5545 has it: a day that a month may lack as the last of those up to it. What the caller counts itself, and the
 * time, are left out.
 */
function rfcRule(rule: Recurrence, from: string): Recurrence {
  const dated = { ...rule, count: null, until: null, except: [], time: null }
  const [day] = rule.monthDays
  if (!clampsDay(rule) || day === undefined) return dated
  const months = rule.every === 'year' ? [Number(from.slice(5, 7))] : []
  if (day <= 28) return { ...dated, months }
  const upTo = Array.from({ length: day - 27 }, (_, index) => 28 + index)
  return { ...dated, months, monthDays: upTo, positions: [-1] }
}

/**
 * A reminder moved along with a due date, at the same time of day on the wall. One that clocks skip comes as much later
 * as they are put forward, and its own time stands in the rule, so that the next one is on time again.
 */
export function moveReminder(
  reminder: string,
  { from, to, rule, zone }: { from: string; to: string; rule: Recurrence; zone: string },
): { reminder: string; rule: Recurrence } {
  const at = new Date(reminder)
  const shown = wallTime(at, zone)
  const own = rule.time === null ? null : { day: shown.day, time: `${rule.time}:00` }
  // A reminder that was set anew since has a time of its own.
  const isOwn = own !== null && instantAt(own, zone).getTime() === at.getTime()
  const { day, time } = isOwn ? own : shown
  const days = Math.round((Date.parse(to) - Date.parse(from)) / dayMs)
  const wanted = { day: addDays(day, days), time }
  const moved = instantAt(wanted, zone)
  const isSkipped = wallTime(moved, zone).time !== time
  return { reminder: moved.toISOString(), rule: { ...rule, time: isSkipped ? time.slice(0, 5) : null } }
}
