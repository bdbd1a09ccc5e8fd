// Loaded with what shows dates that stand in a text: properties and lists of pages.

import { dayText as fullDay } from '../../lib/core/schedule/day-text.ts'
import { el } from './dom.ts'
import { dayAndTime, dayText, dayTime } from './time.ts'

const written = /^(\d{4}-\d\d-\d\d)(?:[T ](\d\d:\d\d)(?::\d\d(?:\.\d{1,9})?)?(Z|[+-]\d\d:?\d\d)?)?$/

/** A day or a moment that stands in ISO 8601, as people write it; null for any other text. Without a zone it is of no place. */
export function writtenTime(text: string, now: Date): HTMLTimeElement | null {
  const [, date = '', time, zone] = (text.length <= 40 && written.exec(text)) || []
  if (date === '' || Number.isNaN(Date.parse(text))) return null
  if (!time) return dayTime(date, now)
  if (zone) return dayAndTime(text, now)
  const title = `${fullDay(date)}, ${time}`
  return el('time', { datetime: text, class: 'time', title }, `${dayText(date, now)} ${time}`)
}
