import { z } from 'zod'
import { body, reference, title } from './fields.ts'
import { defineKind } from './kind.ts'

export const kind = defineKind({
  type: 'page',
  table: 'pages',
  path: 'pages',
  label: 'page',
  fields: z.object({
    title: title(),
    body: body(),
    parent_id: reference('page').nullable(),
    position: z.int().min(-1_000_000).max(1_000_000).describe('Sort position among sibling pages'),
  }),
  defaults: { body: '', position: 0 },
  references: { parent_id: 'page' },
})
