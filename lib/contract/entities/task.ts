import { z } from 'zod'
import {
  formatRecurrence,
  nextOccurrence,
  parseRecurrence,
  type Recurrence,
} from '../../core/text/dates/recurrence.ts'
import { body, date, moment, recurrence, reference, title } from './fields.ts'
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
    remind_at: moment().nullable(),
    project_id: reference('project').nullable(),
  }),
  defaults: { body: '', status: 'open', priority: 'normal' },
  statusField: 'status',
  references: { project_id: 'project' },
  resolveUpdate: moveRepeating,
})

/** Recurrence of a task that these fields mark done; `null`: not recurring, or not marked done. */
export function repetitionOf(row: EntityRow, fields: Record<string, unknown>): Recurrence | null {
  if (fields.status !== 'done' || row.status === 'done') return null
  const { recurrence }: Record<string, unknown> = { recurrence: row.recurrence, ...fields }
  return parseRecurrence(textOf(recurrence))
}

/** Moves a recurring task that is marked done to its next due date, reopened and with its reminder moved along. */
function moveRepeating(
  row: EntityRow,
  fields: Record<string, unknown>,
  today: string,
): Record<string, unknown> {
  const rule = repetitionOf(row, fields)
  if (!rule) return fields
  const { due_on, remind_at }: Record<string, unknown> = { ...row, ...fields }
  const due = textOf(due_on) || null
  const next = nextOccurrence(rule, { due, today })
  const moved = { status: 'open', due_on: next.due, recurrence: formatRecurrence(next.rule) }
  const reminder = textOf(remind_at)
  return {
    ...fields,
    ...moved,
    ...(reminder ? { remind_at: moveMoment(reminder, due ?? today, next.due) } : {}),
  }
}

/** Shifts a moment by the difference between two days. */
const moveMoment = (moment: string, from: string, to: string): string =>
  new Date(Date.parse(moment) + Date.parse(to) - Date.parse(from)).toISOString()
