import { z } from 'zod'
import { formatRecurrence, nextOccurrence, parseRecurrence } from '../text/dates/recurrence.ts'
import { body, date, recurrence, reference, title } from './fields.ts'
import { defineKind, type EntityRow, textOf } from './kind.ts'

export const kind = defineKind({
  type: 'task',
  table: 'tasks',
  path: 'tasks',
  label: 'task',
  fields: z.object({
    title: title(),
    body: body(),
    status: z.enum(['open', 'in_progress', 'done', 'cancelled']),
    priority: z.enum(['low', 'normal', 'high', 'urgent']),
    due_on: date().nullable(),
    recurrence: recurrence().nullable(),
    project_id: reference('project').nullable(),
  }),
  defaults: { body: '', status: 'open', priority: 'normal' },
  statusField: 'status',
  references: { project_id: 'project' },
  resolveUpdate: moveRepeating,
})

/** Marking a task done that repeats moves it to its next due date, open again. */
function moveRepeating(
  row: EntityRow,
  fields: Record<string, unknown>,
  today: string,
): Record<string, unknown> {
  const { recurrence, due_on }: Record<string, unknown> = { ...row, ...fields }
  const rule = fields.status === 'done' && row.status !== 'done' ? parseRecurrence(textOf(recurrence)) : null
  if (!rule) return fields
  const next = nextOccurrence(rule, { due: textOf(due_on) || null, today })
  return { ...fields, status: 'open', due_on: next.due, recurrence: formatRecurrence(next.rule) }
}
