import { z } from 'zod'
import { formatRecurrence, parseRecurrence, type Recurrence } from '../../core/schedule/recurrence.ts'
import { body, date, moment, recurrence, reference, title } from './fields.ts'
import { defineKind, type EntityRow, type Moment, textOf } from './kind.ts'

export const kind = defineKind({
  type: 'task',
  table: 'tasks',
  path: 'tasks',
  label: 'task',
  fields: z.object({
    title: title(),
    body: body(),
    status: z.enum(['open', 'in_progress', 'done', 'cancelled']).describe('Status'),
    priority: z.enum(['low', 'normal', 'high', 'urgent']).describe('Priority'),
    due_on: date().describe('Due, such as 2026-12-31').nullable(),
    recurrence: recurrence().nullable(),
    remind_at: moment().describe('Such as 2026-12-24T09:00:00Z').nullable(),
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

/**
 * Moves a recurring task that is marked done to its next due date, reopened and with its reminder moved along. One whose
 * rule is over stays done.
 */
async function moveRepeating(
  row: EntityRow,
  fields: Record<string, unknown>,
  { today, zone }: Moment,
): Promise<Record<string, unknown>> {
  const rule = repetitionOf(row, fields)
  if (!rule) return fields
  // Loaded with the first: it takes longer than the rest of a start can spare.
  const { moveReminder, nextOccurrence } = await import('../../core/schedule/next-occurrence.ts')
  const { due_on, remind_at }: Record<string, unknown> = { ...row, ...fields }
  const due = textOf(due_on) || null
  const next = nextOccurrence(rule, { due, today })
  if (!next) return fields
  const open = { ...fields, status: 'open', due_on: next.due }
  const reminder = textOf(remind_at)
  if (!reminder) return { ...open, recurrence: formatRecurrence({ ...next.rule, time: null }) }
  const moved = moveReminder(reminder, { from: due ?? today, to: next.due, rule: next.rule, zone })
  return { ...open, recurrence: formatRecurrence(moved.rule), remind_at: moved.reminder }
}
