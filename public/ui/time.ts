import { localDay } from '../../lib/core/text/dates/local-day.ts'
import { el } from './dom.ts'

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

/** A day without a time, such as a due date: "12 Mar", with the year where it is another one. */
export function dayText(date: string, now: Date): string {
  const day = new Date(`${date}T00:00:00Z`)
  const year = day.getUTCFullYear() === now.getFullYear() ? {} : { year: 'numeric' as const }
  return new Intl.DateTimeFormat('en-GB', {
    day: 'numeric',
    month: 'short',
    timeZone: 'UTC',
    ...year,
  }).format(day)
}

/** A due date compared with today; all three are YYYY-MM-DD, which compares as text. */
export function dueState(date: string, now: Date): 'overdue' | 'today' | 'later' {
  const today = localDay(now)
  if (date < today) return 'overdue'
  return date === today ? 'today' : 'later'
}

/** The day so many days after another, both YYYY-MM-DD. */
export function addDays(date: string, days: number): string {
  const time = Date.parse(`${date}T00:00:00Z`) + days * day
  return new Date(time).toISOString().slice(0, 10)
}

/** A relative time; hovering it shows the exact one. */
export function timeAgo(iso: string, now: Date): HTMLTimeElement {
  const exact = exactTime(iso, 'full')
  return el('time', { datetime: iso, title: exact, class: 'time' }, relativeTime(iso, now))
}

/** A day and a time of day, where the reader is. */
export const exactTime = (iso: string, dateStyle: 'full' | 'medium' = 'medium'): string =>
  new Intl.DateTimeFormat('en-GB', { dateStyle, timeStyle: 'short' }).format(new Date(iso))
