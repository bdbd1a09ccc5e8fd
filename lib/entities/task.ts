import { z } from 'zod'
import {
  formatRecurrence,
  nextOccurrence,
  parseRecurrence,
  type Recurrence,
} from '../text/dates/recurrence.ts'
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

/** How a task repeats that these fields mark done; `null`: it does not. */
export function repetitionOf(row: EntityRow, fields: Record<string, unknown>): Recurrence | null {
  if (fields.status !== 'done' || row.status === 'done') return null
  const { recurrence }: Record<string, unknown> = { recurrence: row.recurrence, ...fields }
  return parseRecurrence(textOf(recurrence))
}

/** Marking a task done that repeats moves it to its next due date, open again. */
function moveRepeating(
  row: EntityRow,
  fields: Record<string, unknown>,
  today: string,
): Record<string, unknown> {
  const rule = repetitionOf(row, fields)
  if (!rule) return fields
  const { due_on }: Record<string, unknown> = { due_on: row.due_on, ...fields }
  const next = nextOccurrence(rule, { due: textOf(due_on) || null, today })
  return { ...fields, status: 'open', due_on: next.due, recurrence: formatRecurrence(next.rule) }
}
