import { timeZone } from '#platform'
import { dayText as fullDay, momentText } from '../../lib/core/schedule/day-text.ts'
import { addDays, dayIn, machineZone, wallTime } from '../../lib/core/schedule/zoned.ts'
import { el } from './dom.ts'

export { addDays } from '../../lib/core/schedule/zoned.ts'

/** The owner's time zone; the machine's as long as it is unknown. */
export const ownerZone = (): string => timeZone() ?? machineZone()

/** The calendar day of a time where the owner is, YYYY-MM-DD. */
export const localDay = (time: Date): string => dayIn(time, ownerZone())

/** The hour of a time where the owner is, YYYY-MM-DDTHH. */
export function localHour(iso: string): string {
  const { day, time } = wallTime(new Date(iso), ownerZone())
  return `${day}T${time.slice(0, 2)}`
}

const minute = 60_000
const hour = 60 * minute
const day = 24 * hour

/** "just now", "5 min ago", "3 h ago", "yesterday", "12 Mar", "12 Mar 2024". */
function relativeTime(iso: string, now: Date): string {
  const then = new Date(iso)
  const ago = now.getTime() - then.getTime()
  if (ago < 45_000) return 'just now'
  if (ago < hour) return `${Math.max(1, Math.round(ago / minute))} min ago`
  if (ago < 20 * hour) return `${Math.round(ago / hour)} h ago`
  if (ago < 2 * day) return 'yesterday'
  if (ago < 7 * day) return `${Math.round(ago / day)} days ago`
  return dayText(localDay(then), now)
}

/** "today 14:05", "yesterday 09:12", "12 Mar 09:12"; hovering it shows the exact time. */
export function dayAndTime(iso: string, now: Date): HTMLTimeElement {
  const then = new Date(iso)
  const day = localDay(then)
  const today = localDay(now)
  const word = day === today ? 'today' : addDays(day, 1) === today ? 'yesterday' : dayText(day, now)
  const { time } = wallTime(then, ownerZone())
  return el(
    'time',
    { datetime: iso, title: exactTime(iso, 'full'), class: 'time' },
    `${word} ${time.slice(0, 5)}`,
  )
}

/** A day without a time, such as a due date: "12 Mar", with the year where it is another one. */
export function dayText(date: string, now: Date): string {
  const text = fullDay(date)
  return date.slice(0, 4) === localDay(now).slice(0, 4) ? text.replace(/ \d{4}$/, '') : text
}

/** The same, as "today", "in 3 days" or "2 days ago" where it is within a week. */
export function nearDay(date: string, now: Date): string {
  const ahead = Math.round((Date.parse(date) - Date.parse(localDay(now))) / day)
  if (!(Math.abs(ahead) < 7)) return dayText(date, now)
  if (Math.abs(ahead) < 2) return ['yesterday', 'today', 'tomorrow'][ahead + 1]!
  return ahead > 0 ? `in ${ahead} days` : `${-ahead} days ago`
}

/** A day near or far; hovering it shows the exact one, after `about`. */
export const dayTime = (date: string, now: Date, about = ''): HTMLTimeElement =>
  el(
    'time',
    { datetime: date, class: 'time', title: [about, fullDay(date)].filter(Boolean).join(' ') },
    nearDay(date, now),
  )

/** A due date compared with today; all three are YYYY-MM-DD, which compares as text. */
export function dueState(date: string, now: Date): 'overdue' | 'today' | 'later' {
  const today = localDay(now)
  if (date < today) return 'overdue'
  return date === today ? 'today' : 'later'
}

/** A relative time; hovering it shows the exact one. */
export function timeAgo(iso: string, now: Date): HTMLTimeElement {
  const exact = exactTime(iso, 'full')
  return el('time', { datetime: iso, title: exact, class: 'time' }, relativeTime(iso, now))
}

/** The time of day of a moment, where the owner is: "14:05". */
export const timeOfDay = (moment: Date): string => wallTime(moment, ownerZone()).time.slice(0, 5)

/** A day and a time of day, where the owner is. */
export const exactTime = (iso: string, dateStyle: 'full' | 'medium' = 'medium'): string =>
  momentText(iso, ownerZone(), dateStyle)
