import type { Task, TaskPriority } from '../../lib/contract/entities/entities.ts'
import { addDays, localDay } from '../time.ts'

export type QuickTask = Pick<Task, 'title'> & Partial<Pick<Task, 'priority' | 'due_on'>>

/**
 * Parses a line as a task: `!high` anywhere is its priority, a day at its end (`tomorrow`, `on friday`,
 * `by 2031-03-01`, `in 3 days`) its due date; the rest is the title. A line without a title is the title.
 */
export function parseQuickTask(line: string, now: Date): QuickTask {
  const whole = line.trim().replace(/\s+/g, ' ')
  const priority = /(?:^|\s)!(low|normal|high|urgent)(?=\s|$)/i.exec(whole)
  const rest = priority ? whole.replace(priority[0], '').trim() : whole
  const day = dayAtEnd(rest, now)
  const title = day ? rest.slice(0, day.at).trim() : rest
  if (title === '') return { title: whole }
  return {
    title,
    ...(priority ? { priority: priority[1]!.toLowerCase() as TaskPriority } : {}),
    ...(day ? { due_on: day.date } : {}),
  }
}

const weekdays = ['sunday', 'monday', 'tuesday', 'wednesday', 'thursday', 'friday', 'saturday']
const dayWords = `today|tomorrow|\\d{4}-\\d{2}-\\d{2}|in \\d{1,3} days?|${weekdays.join('|')}`
const atEnd = new RegExp(`(?:^|\\s)(?:(?:by|on|due) )?(${dayWords})$`, 'i')

function dayAtEnd(text: string, now: Date): { at: number; date: string } | null {
  const found = atEnd.exec(text)
  const date = found && dateOf(found[1]!.toLowerCase(), now)
  return found && date ? { at: found.index, date } : null
}

/** A weekday is the next one to come, never today. */
function dateOf(words: string, now: Date): string | null {
  const today = localDay(now)
  if (words === 'today') return today
  if (words === 'tomorrow') return addDays(today, 1)
  if (words.startsWith('in ')) return addDays(today, Number(words.split(' ')[1]))
  const weekday = weekdays.indexOf(words)
  if (weekday >= 0) return addDays(today, ((weekday - now.getDay() + 6) % 7) + 1)
  const time = Date.parse(`${words}T00:00:00Z`)
  return Number.isNaN(time) || new Date(time).toISOString().slice(0, 10) !== words ? null : words
}
