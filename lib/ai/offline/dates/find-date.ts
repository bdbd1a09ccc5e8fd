import { addDays, addMonths, type Day, dayOf, formatDay, makeDay, months, weekdayOf } from './day.ts'

export type FoundDate = { due_on: string; rest: string }

const numbers = [
  'zero',
  'one',
  'two',
  'three',
  'four',
  'five',
  'six',
  'seven',
  'eight',
  'nine',
  'ten',
  'eleven',
  'twelve',
]
const weekdayNames = ['sun', 'mon', 'tue', 'wed', 'thu', 'fri', 'sat']
const weekday = 'sunday|monday|tuesday|wednesday|thursday|friday|saturday'
const shortWeekday = 'sun|mon|tues?|wed|thu|thurs|thur|fri|sat'
const month = months.map((name) => `${name}|${name.slice(0, 3)}\\.?`).join('|')
const unit = '(day|week|fortnight|month|year)s?'
const count = `(\\d{1,3}|an?|a couple of|${numbers.slice(1).join('|')})`

type Pattern = { source: string; read: (groups: string[], today: Day) => Day | null }

/** What a date looks like. Every pattern is anchored by `findDate`, so each is tried at two places only. */
const patterns: Pattern[] = [
  { source: '(\\d{4})-(\\d\\d)-(\\d\\d)', read: ([y, m, d]) => makeDay(Number(y), Number(m), Number(d)) },
  {
    source: '(\\d{1,2})\\.(\\d{1,2})\\.(\\d{4})',
    read: ([d, m, y]) => makeDay(Number(y), Number(m), Number(d)),
  },
  {
    source: `(?:the )?(\\d{1,2})(?:st|nd|rd|th|\\.)? (?:of )?(${month})(?:,? (\\d{4}))?`,
    read: ([d, m, y], today) => inYear(Number(d), monthNumber(m), y, today),
  },
  {
    source: `(${month}) (?:the )?(\\d{1,2})(?:st|nd|rd|th)?(?:,? (\\d{4}))?`,
    read: ([m, d, y], today) => inYear(Number(d), monthNumber(m), y, today),
  },
  { source: 'the (\\d{1,2})(?:st|nd|rd|th)', read: ([d], today) => nextDate(Number(d), today) },
  { source: 'the day after tomorrow|day after tomorrow', read: (_, today) => addDays(today, 2) },
  { source: 'today|tonight|this (?:morning|afternoon|evening)', read: (_, today) => today },
  { source: 'tomorrow(?: (?:morning|afternoon|evening|night))?', read: (_, today) => addDays(today, 1) },
  { source: `in ${count} ${unit}`, read: ([n, of], today) => later(today, numberOf(n), of) },
  { source: `${count} ${unit} from (?:now|today)`, read: ([n, of], today) => later(today, numberOf(n), of) },
  { source: `next (${weekday}|${shortWeekday})`, read: ([name], today) => weekdayNextWeek(name, today) },
  {
    source: `(?:this |coming |this coming )?(${weekday})`,
    read: ([name], today) => comingWeekday(name, today),
  },
  { source: `(?:on |by |until )(${shortWeekday})`, read: ([name], today) => comingWeekday(name, today) },
  { source: 'next week', read: (_, today) => addDays(today, (8 - weekdayOf(today)) % 7 || 7) },
  { source: 'next month', read: (_, today) => startOfNextMonth(today) },
  { source: 'next year', read: (_, today) => makeDay(new Date(today).getUTCFullYear() + 1, 1, 1) },
  {
    source: '(?:the )?end of (?:the|this) week|this week',
    read: (_, today) => addDays(today, (7 - weekdayOf(today)) % 7),
  },
  {
    source: '(?:the )?weekend|this weekend',
    read: (_, today) => addDays(today, (6 - weekdayOf(today) + 7) % 7),
  },
  {
    source: '(?:the )?end of (?:the|this) month|this month',
    read: (_, today) => addDays(startOfNextMonth(today), -1),
  },
]

const lead =
  '(?:,? ?(?:which is |that is )?(?:due(?: date)?:? ?(?:on |by |at )?|on |by |until |before |till |at |for )?)'
const compiled = patterns.map(({ source, read }) => ({
  read,
  whole: new RegExp(`^(?:${lead})?(?:${source})[.!]?$`, 'i'),
  ending: new RegExp(
    `(?:^|[ ,;(-])(?:due(?: date)?:? ?(?:on |by )?|on |by |until |before |till )?(?:${source})[.!)]?$`,
    'i',
  ),
  beginning: new RegExp(`^(?:on |by |for )?(?:${source})(?=[ ,:])[,:]? ?`, 'i'),
}))
const longestDate = 60

/** A text that is a date and nothing else, such as "next friday" or "on 3 March"; `null` for anything else. */
export function readDate(text: string, now: Date): string | null {
  const trimmed = text.trim().slice(0, longestDate + 1)
  for (const { whole, read } of trimmed.length > longestDate ? [] : compiled) {
    const day = readMatch(whole.exec(trimmed), read, now)
    if (day !== null) return day
  }
  return null
}

/** A date at the end or the beginning of a text, and the text without it. */
export function findDate(text: string, now: Date): FoundDate | null {
  const start = Math.max(0, text.length - longestDate)
  const tail = text.slice(start)
  for (const { ending, beginning, read } of compiled) {
    const last = ending.exec(tail)
    const atEnd = readMatch(last, read, now)
    if (last && atEnd) return atTheEnd(text, text.slice(0, start + last.index).trim(), atEnd)

    const first = beginning.exec(text.slice(0, longestDate))
    const atStart = readMatch(first, read, now)
    if (first && atStart) return { due_on: atStart, rest: text.slice(first[0].length).trim() }
  }
  return null
}

/** "Notes from Monday" and "every Monday" say nothing of when it is due; "a table for Monday" does, and keeps its words. */
function atTheEnd(text: string, rest: string, due_on: string): FoundDate | null {
  if (/(?:^| )(?:from|since|of|after|about|in|to|last|every|each|and|or|than)$/i.test(rest)) return null
  return { due_on, rest: / for$/i.test(rest) ? text : rest }
}

function readMatch(match: RegExpExecArray | null, read: Pattern['read'], now: Date): string | null {
  const day = match ? read(match.slice(1), dayOf(now)) : null
  return day === null ? null : formatDay(day)
}

const monthNumber = (name = '') =>
  months.findIndex((each) => each.slice(0, 3).toLowerCase() === name.slice(0, 3).toLowerCase()) + 1

const numberOf = (word = '') => {
  if (/^\d/.test(word)) return Number(word)
  if (/couple/i.test(word)) return 2
  return Math.max(1, numbers.indexOf(word.toLowerCase()))
}

function later(today: Day, amount: number, of = 'day'): Day {
  const step = of.toLowerCase()
  if (step === 'week') return addDays(today, 7 * amount)
  if (step === 'fortnight') return addDays(today, 14 * amount)
  if (step === 'month') return addMonths(today, amount)
  return step === 'year' ? addMonths(today, 12 * amount) : addDays(today, amount)
}

/** The first such day after today. */
function comingWeekday(name = '', today: Day): Day {
  const wanted = weekdayNames.indexOf(name.slice(0, 3).toLowerCase())
  return addDays(today, ((wanted - weekdayOf(today) + 6) % 7) + 1)
}

/** That day of the week which begins on the coming Monday. */
function weekdayNextWeek(name = '', today: Day): Day {
  const monday = addDays(today, (8 - weekdayOf(today)) % 7 || 7)
  const wanted = weekdayNames.indexOf(name.slice(0, 3).toLowerCase())
  return addDays(monday, (wanted + 6) % 7)
}

/** A day without a year is the coming one. */
function inYear(date: number, monthOfYear: number, year: string | undefined, today: Day): Day | null {
  if (year) return makeDay(Number(year), monthOfYear, date)
  const thisYear = new Date(today).getUTCFullYear()
  const day = makeDay(thisYear, monthOfYear, date)
  return day !== null && day >= today ? day : makeDay(thisYear + 1, monthOfYear, date)
}

function nextDate(date: number, today: Day): Day | null {
  const inMonth = (first: Date) => makeDay(first.getUTCFullYear(), first.getUTCMonth() + 1, date)
  const day = inMonth(new Date(today))
  return day !== null && day >= today ? day : inMonth(new Date(startOfNextMonth(today)))
}

function startOfNextMonth(today: Day): Day {
  const date = new Date(today)
  return Date.UTC(date.getUTCFullYear(), date.getUTCMonth() + 1, 1)
}
