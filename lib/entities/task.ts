import { z } from 'zod'
import { body, date, reference, title } from './fields.ts'
import { defineKind } from './kind.ts'

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
    project_id: reference('project').nullable(),
  }),
  defaults: { body: '', status: 'open', priority: 'normal' },
  statusField: 'status',
  references: { project_id: 'project' },
})
