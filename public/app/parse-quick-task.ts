import type { Task, TaskPriority } from '../../lib/contract/entities/entities.ts'
import { extractDay } from '../../lib/text/dates/extract-day.ts'
import { localDay } from '../ui/time.ts'
import { extractRecurrence } from './extract-recurrence.ts'

export type QuickTask = Pick<Task, 'title'> &
  Partial<Pick<Task, 'priority' | 'due_on' | 'recurrence' | 'remind_at'>>

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
  const due = extractDay(once, now)
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
