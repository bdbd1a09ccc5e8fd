import { z } from 'zod'
import { body, line, title, url } from './fields.ts'
import { defineKind, textOf } from './kind.ts'

export const kind = defineKind({
  type: 'resource',
  table: 'resources',
  path: 'resources',
  label: 'resource',
  fields: z.object({
    title: title(),
    kind: line(80).min(1).describe('Such as book or place'),
    url: url().describe('Web address').nullable(),
    body: body(),
  }),
  defaults: { body: '', kind: 'other' },
  searchText: (row) => [textOf(row.url), textOf(row.body)].filter(Boolean).join('\n\n'),
})
