import type { Capture } from '../../../lib/contract/space/notes.ts'
import { parseQuickTask } from '../../app/parse-quick-task.ts'

/** A note as a task: its first line is read as in quick add, with a due date and a priority. */
export function readTaskNote(text: string, now: Date): Capture {
  const [first = '', ...rest] = text.trim().split('\n')
  const { title, due_on, priority, recurrence, remind_at } = parseQuickTask(first, now)
  return {
    kind: 'task',
    text: [title, ...rest].join('\n'),
    ...(due_on ? { due_on } : {}),
    ...(priority ? { priority } : {}),
    ...(recurrence ? { recurrence } : {}),
    ...(remind_at ? { remind_at } : {}),
  }
}
