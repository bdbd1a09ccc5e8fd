// Days in plain English, read by chrono-node. A due date is a day: what says no day stays in the text.

import { GB, type ParsedResult } from 'chrono-node/en'
import { asLocalFields, fromLocalFields } from '../../schedule/calendar.ts'
import { instantAt } from '../../schedule/instants.ts'
import { machineZone } from '../../schedule/zoned.ts'

/** A date is this near to the beginning or the end of a text. */
const maxLength = 60
const preposition = /(?:^|[ ,;(-]+)(?:due(?: date)?:? ?)?(?:(?:on|by|until|before) )?(?:the )?$/i
/** "Notes from Monday" and "every Monday" say nothing of when something is due. */
const notDue = /(?:^| )(?:from|since|of|after|about|in|to|last|every|each|and|or|than)$/i

/**
 * A text that is a day and nothing else, such as "next Friday", as YYYY-MM-DD; `null` for any other text. With `past`, one
 * that has been: "Friday" is the last one, "3 Nov" not that of next year.
 */
export function parseDay(text: string, now: Date, which: 'next' | 'past' = 'next'): string | null {
  if (text.length > maxLength) return null
  if (which === 'past') return parsePastDay(text.trim(), now)
  const found = extractDay(`it ${text.trim()}`, now)
  return found?.rest === 'it' ? found.day : null
}

/**
 * A text that is a moment and nothing else, such as "tomorrow at 9am", or a day, which is read as nine o’clock of it; in a
 * time zone. Default: the machine's.
 */
export function parseMoment(text: string, now: Date, zone = machineZone()): Date | null {
  if (text.length > maxLength) return null
  const [found] = GB.parse(text.trim(), asLocalFields(now, zone), { forwardDate: true })
  if (!found || found.text.length !== text.trim().length || isUnclear(found.text)) return null
  const at = momentOf(found)
  if (!found.start.isCertain('hour')) at.setHours(9, 0, 0, 0)
  return instantAt(fromLocalFields(at), zone)
}

function parsePastDay(text: string, now: Date): string | null {
  const [found] = GB.parse(text, now)
  if (!found || found.text.length !== text.length || isUnclear(text)) return null
  const date = found.start.date()
  if (date > now && !found.start.isCertain('year')) {
    if (found.start.isCertain('weekday') && !found.start.isCertain('day')) date.setDate(date.getDate() - 7)
    else date.setFullYear(date.getFullYear() - 1)
  }
  return toDay(date)
}

export type ExtractedDay = {
  day: string
  /** The text without the day; a time of the day stays. */
  rest: string
  /** The time, and the text without day and time. Absent if it names no time. */
  moment?: { at: Date; rest: string }
}

/** The day at the end or the beginning of a text, in a time zone. Default: the machine's. */
export function extractDay(text: string, instant: Date, zone = machineZone()): ExtractedDay | null {
  const now = asLocalFields(instant, zone)
  const tailStart = Math.max(0, text.length - maxLength)
  const last = daysIn(text.slice(tailStart), now).at(-1)
  if (last) {
    const before = text.slice(0, tailStart + last.index)
    const after = text.slice(before.length + last.text.length)
    const rest = before.slice(0, preposition.exec(before)?.index)
    if (/^[.!)]?$/.test(after) && !notDue.test(rest)) {
      // "A table for Friday" keeps its words.
      const day = formatDay(last)
      if (/ for$/i.test(rest)) return { day, rest: text }
      const time = timeIn(last)
      return {
        day,
        rest: rest + time,
        ...(time ? { moment: { at: instantAt(fromLocalFields(momentOf(last)), zone), rest } } : {}),
      }
    }
  }
  const first = daysIn(text.slice(0, maxLength), now)[0]
  const rest = first && /^[:,] ?(.+)$/s.exec(text.slice(first.text.length))?.[1]
  if (first?.index !== 0 || !rest) return null
  const moment = timeIn(first) && { at: instantAt(fromLocalFields(momentOf(first)), zone), rest }
  return { day: formatDay(first), rest, ...(moment ? { moment } : {}) }
}

/** Not durations, months without a day, numbers that two countries read differently (3/4), or names such as Sun. */
const daysIn = (text: string, now: Date): ParsedResult[] =>
  GB.parse(text, now, { forwardDate: true }).filter(
    ({ start, text: words }) =>
      (start.isCertain('day') || start.isCertain('weekday') || /^(?:in|next) /i.test(words)) &&
      !/^(?:for|last) |^(?:sun|mon|wed|sat)$/i.test(words) &&
      !isUnclear(words),
  )

const isUnclear = (words: string): boolean => words.includes('/') && !/^(?:1[3-9]|2\d|3[01])\/\d/.test(words)

/** On a Tuesday, "Tuesday" is the next one. */
function formatDay({ start, refDate }: ParsedResult): string {
  const date = start.date()
  const isToday = date.toDateString() === refDate.toDateString()
  if (isToday && start.isCertain('weekday') && !start.isCertain('day')) date.setDate(date.getDate() + 7)
  return toDay(date)
}

const toDay = (date: Date): string =>
  new Date(date.getTime() - date.getTimezoneOffset() * 60_000).toISOString().slice(0, 10)

function momentOf(found: ParsedResult): Date {
  const at = found.start.date()
  const [year, month, day] = formatDay(found).split('-').map(Number)
  at.setFullYear(year!, month! - 1, day)
  return at
}

/** "at 9", "15:00", "3pm", "noon"; the whole of "in two hours". */
const clock =
  /\b(?:at .+$|\d{1,2}[:.]\d{2}(?: ?[ap]\.?m\b\.?)?|\d{1,2} ?[ap]\.?m\b\.?|noon\b|midnight\b)|^in .+ (?:hour|minute|min)s?$/i

const timeIn = ({ text, start }: ParsedResult) => {
  const found = start.isCertain('hour') ? clock.exec(text)?.[0] : undefined
  return found ? ` ${found}` : ''
}
