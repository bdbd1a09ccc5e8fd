import { describeRecurrence, parseRecurrence } from '../../lib/text/dates/recurrence.ts'

const usual = [
  'FREQ=DAILY',
  'FREQ=WEEKLY;BYDAY=MO,TU,WE,TH,FR',
  'FREQ=WEEKLY',
  'FREQ=WEEKLY;INTERVAL=2',
  'FREQ=MONTHLY',
  'FREQ=MONTHLY;INTERVAL=3',
  'FREQ=YEARLY',
]

/** The choices of how a task repeats, and what it has if that is another one. */
export function recurrenceOptions(current: string | null): { value: string; label: string }[] {
  const rules = current === null || usual.includes(current) ? usual : [...usual, current]
  return [{ value: '', label: 'Never' }, ...rules.map((value) => ({ value, label: words(value) }))]
}

function words(text: string): string {
  const rule = parseRecurrence(text)
  const found = rule ? describeRecurrence(rule) : text
  return found.charAt(0).toUpperCase() + found.slice(1)
}
