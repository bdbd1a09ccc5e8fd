import { z } from 'zod'
import { body, date, line, title, url } from './fields.ts'
import { defineKind, textOf } from './kind.ts'

export const kind = defineKind({
  type: 'ref',
  table: 'refs',
  path: 'refs',
  label: 'reference',
  fields: z.object({
    title: title(),
    url: url().describe('Web address').nullable(),
    body: body(),
    author: line().describe('Author').nullable(),
    published_on: date().describe('Such as 2026-12-31').nullable(),
  }),
  searchText: (row) => [textOf(row.author), textOf(row.url), textOf(row.body)].filter(Boolean).join('\n\n'),
})
