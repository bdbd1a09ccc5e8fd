import type { QuickTask } from '../app/parse-quick-task.ts'
import { el } from '../ui/dom.ts'
import { dayText, exactTime } from '../ui/time.ts'
import { priorityNames } from '../ui/words/names.ts'
import { recurrenceWords } from './recurrence-words.ts'

/** What was read of a line, beside its title. */
export function renderChips(
  { due_on, remind_at, recurrence, priority }: QuickTask,
  now: Date,
): HTMLElement[] {
  const words = [
    due_on && `Due ${dayText(due_on, now)}`,
    remind_at && `Reminder ${exactTime(remind_at)}`,
    recurrence && `Repeats: ${recurrenceWords(recurrence)}`,
    priority && `${priorityNames[priority]} priority`,
  ]
  return words.flatMap((text) => (text ? [el('span', { class: 'badge' }, text)] : []))
}
