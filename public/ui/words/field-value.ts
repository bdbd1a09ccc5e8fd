// Fields and their values as a person reads them.

import { describeRecurrence } from '../../../lib/core/schedule/describe-recurrence.ts'
import { parseRecurrence } from '../../../lib/core/schedule/recurrence.ts'
import { dayText, exactTime } from '../time.ts'

/** A short value: a choice in words, a day as a day, an entity by its title. */
export function fieldValue(
  { name, value }: { name: string; value: unknown },
  { references, now }: { references: Record<string, string>; now: Date },
): string {
  if (value === null || value === undefined || value === '') return 'none'
  if (typeof value === 'boolean') return value ? 'yes' : 'no'
  if (typeof value !== 'string') return typeof value === 'number' ? String(value) : JSON.stringify(value)
  if (name.endsWith('_id')) return references[value] ?? 'Deleted'
  if (name.endsWith('_on') && /^\d{4}-\d{2}-\d{2}$/.test(value)) return dayText(value, now)
  if (name.endsWith('_at') && !Number.isNaN(Date.parse(value))) return exactTime(value)
  const rule = name === 'recurrence' || name === 'schedule' ? parseRecurrence(value) : null
  if (rule) return capital(describeRecurrence(rule))
  return choices.has(name) ? capital(value.replaceAll('_', ' ')) : value
}

const choices = new Set(['status', 'priority', 'kind'])

export const capital = (text: string) => text.charAt(0).toUpperCase() + text.slice(1)
