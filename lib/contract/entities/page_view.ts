import { z } from 'zod'
import { cleanText } from '../../core/text/clean.ts'
import { title } from './fields.ts'
import { defineKind } from './kind.ts'

/** Characters of a `.base` text that are read. */
const maxViewLength = 32 * 1024

/** A list of pages, saved: its filters, order and columns as the text of a `.base` file. It is nothing that a search finds. */
export const kind = defineKind({
  type: 'page_view',
  table: 'views',
  path: 'views',
  label: 'view',
  fields: z.object({
    title: title(),
    body: z.string().overwrite(cleanText).max(maxViewLength).describe('The text of a .base file'),
  }),
  proposable: 'no',
  searched: false,
})
