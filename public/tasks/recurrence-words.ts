import { describeRecurrence } from '../../lib/core/schedule/describe-recurrence.ts'
import { parseRecurrence } from '../../lib/core/schedule/recurrence.ts'

/** A rule in words, as the label of a choice; a text that is no rule as it is. */
export function recurrenceWords(text: string): string {
  const rule = parseRecurrence(text)
  const label = rule ? describeRecurrence(rule) : text
  return label.charAt(0).toUpperCase() + label.slice(1)
}
