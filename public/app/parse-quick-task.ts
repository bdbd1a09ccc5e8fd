import type { TaskPriority } from '../../lib/contract/entities.ts'
import {
  formatRecurrence,
  plainRecurrence,
  type Recurrence,
  type Weekday,
  weekdays,
} from '../../lib/core/schedule/recurrence.ts'
import { extractDay } from '../../lib/core/text/dates/extract-day.ts'
import { addDays, localDay, ownerZone } from '../ui/time.ts'

export type QuickTask = {
  title: string
  priority?: TaskPriority
  due_on?: string
  recurrence?: string
  remind_at?: string
}

/**
 * Parses a line as a task: `!high` anywhere is its priority, a day at its beginning or end (`next monday`, `by 3 Dec`) its
 * due date, a time with it (`tomorrow at 9am`) a reminder, and `every monday` at the end how it repeats; the rest is the
 * title. A line without a title is the title.
 */
export function parseQuickTask(line: string, now: Date): QuickTask {
  const whole = line.trim().replace(/\s+/g, ' ')
  const priority = /(?:^|\s)!(low|normal|high|urgent)(?=\s|$)/i.exec(whole)
  const rest = priority ? whole.replace(priority[0], '').trim() : whole
  const repeats = extractRecurrence(rest, localDay(now))
  const once = repeats?.rest ?? rest
  const due = extractDay(once, now, ownerZone())
  const title = (due?.moment?.rest ?? due?.rest ?? once).trim()
  if (title === '') return { title: whole }
  const due_on = due?.day ?? repeats?.due_on
  return {
    title,
    ...(priority ? { priority: priority[1]!.toLowerCase() as TaskPriority } : {}),
    ...(due_on ? { due_on } : {}),
    ...(due?.moment ? { remind_at: due.moment.at.toISOString() } : {}),
    ...(repeats ? { recurrence: repeats.recurrence } : {}),
  }
}

const units = { daily: 'day', weekly: 'week', monthly: 'month', yearly: 'year', annually: 'year' } as const

const workdays: readonly Weekday[] = ['MO', 'TU', 'WE', 'TH', 'FR']

const day = '(?:mon|tues?|wed(?:nes)?|thu(?:rs)?|fri|sat(?:ur)?|sun)(?:day)?s?'

const pattern = new RegExp(
  `(?:^| )(?:(daily|weekly|monthly|yearly|annually)|every (?:(weekday|workday)s?|(other|\\d{1,3}) (day|week|month|year)s?|(day|week|month|year)|(${day}(?:(?:, ?| and )${day}){0,6})))[.!]?$`,
  'i',
)

/** "every monday" and its like at the end of a line: the rule, its first day from today on, and the line without it. */
function extractRecurrence(
  line: string,
  today: string,
): { rest: string; recurrence: string; due_on: string } | null {
  const tail = line.slice(-120)
  const match = pattern.exec(tail)
  if (!match) return null
  const rule = ruleOf(match)
  const rest = (line.slice(0, line.length - tail.length) + tail.slice(0, match.index))
    .trim()
    .replace(/,$/, '')
  if (!rule || rest === '') return null
  return { rest, recurrence: formatRecurrence(rule), due_on: firstOf(rule.days, today) }
}

/** The first of these weekdays from a day on; the day itself where there are none. */
function firstOf(days: readonly string[], from: string): string {
  const week = weekdays.map((_, after) => addDays(from, after))
  const weekdayOf = (day: string) => weekdays[(new Date(day).getUTCDay() + 6) % 7]!
  return week.find((day) => days.length === 0 || days.includes(weekdayOf(day))) ?? from
}

function ruleOf([, adverb, weekday, count, units_, unit, names]: RegExpExecArray): Recurrence | null {
  if (adverb) return plainRecurrence(units[adverb.toLowerCase() as keyof typeof units])
  if (weekday) return { ...plainRecurrence('week'), days: workdays }
  if (names) {
    const dayNames = names
      .toUpperCase()
      .split(/, ?| AND /)
      .map((name) => name.slice(0, 2))
    return { ...plainRecurrence('week'), days: weekdays.filter((each) => dayNames.includes(each)) }
  }
  const interval = count?.toLowerCase() === 'other' ? 2 : Number(count ?? 1)
  if (interval < 1 || interval > 365) return null
  return plainRecurrence((units_ ?? unit)!.toLowerCase() as Recurrence['every'], interval)
}
