import {
  formatRecurrence,
  nextOccurrence,
  type Recurrence,
  type Weekday,
  weekdays,
} from '../../lib/text/dates/recurrence.ts'

const units = { daily: 'day', weekly: 'week', monthly: 'month', yearly: 'year', annually: 'year' } as const
const workdays: readonly Weekday[] = ['MO', 'TU', 'WE', 'TH', 'FR']
const day = '(?:mon|tues?|wed(?:nes)?|thu(?:rs)?|fri|sat(?:ur)?|sun)(?:day)?s?'
const pattern = new RegExp(
  `(?:^| )(?:(daily|weekly|monthly|yearly|annually)|every (?:(weekday|workday)s?|(other|\\d{1,3}) (day|week|month|year)s?|(day|week|month|year)|(${day}(?:(?:, ?| and )${day}){0,6})))[.!]?$`,
  'i',
)

/** "every monday" and its like at the end of a line: the rule, its first day from today on, and the line without it. */
export function extractRecurrence(
  line: string,
  today: string,
): { rest: string; recurrence: string; due_on: string } | null {
  const tail = line.slice(-120)
  const found = pattern.exec(tail)
  if (!found) return null
  const rule = ruleOf(found)
  const rest = (line.slice(0, line.length - tail.length) + tail.slice(0, found.index))
    .trim()
    .replace(/,$/, '')
  if (!rule || rest === '') return null
  const yesterday = new Date(Date.parse(`${today}T00:00:00Z`) - 86_400_000).toISOString().slice(0, 10)
  const due_on =
    rule.days.length > 0 ? nextOccurrence({ ...rule, interval: 1 }, { due: yesterday, today }).due : today
  return { rest, recurrence: formatRecurrence(rule), due_on }
}

function ruleOf([, adverb, weekday, count, units_, unit, names]: RegExpExecArray): Recurrence | null {
  const plain = { interval: 1, days: [], monthDay: null }
  if (adverb) return { ...plain, every: units[adverb.toLowerCase() as keyof typeof units] }
  if (weekday) return { ...plain, every: 'week', days: workdays }
  if (names) {
    const given = names
      .toUpperCase()
      .split(/, ?| AND /)
      .map((name) => name.slice(0, 2))
    return { ...plain, every: 'week', days: weekdays.filter((each) => given.includes(each)) }
  }
  const interval = count?.toLowerCase() === 'other' ? 2 : Number(count ?? 1)
  if (interval < 1 || interval > 365) return null
  return { ...plain, interval, every: (units_ ?? unit)!.toLowerCase() as Recurrence['every'] }
}
