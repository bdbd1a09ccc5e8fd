import { z } from 'zod'
import { body, title } from './fields.ts'
import { defineKind } from './kind.ts'

export const kind = defineKind({
  type: 'project',
  table: 'projects',
  path: 'projects',
  label: 'project',
  fields: z.object({
    title: title(),
    body: body(),
    status: z.enum(['active', 'on_hold', 'done', 'cancelled']).describe('Status'),
  }),
  defaults: { body: '', status: 'active' },
  statusField: 'status',
})
