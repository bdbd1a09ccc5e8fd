import { z } from 'zod'
import { cleanText } from '../../core/text/clean.ts'
import { title } from './fields.ts'
import { defineKind } from './kind.ts'

/** Maximum length of a `.base` text, in characters. */
const maxViewLength = 32 * 1024

/** A saved page list: filters, order and columns as the text of a `.base` file. Not searchable. */
export const kind = defineKind({
  type: 'page_view',
  table: 'views',
  path: 'views',
  label: 'view',
  fields: z.object({
    title: title(),
    body: z.string().overwrite(cleanText).max(maxViewLength).describe('Text of a .base file'),
  }),
  proposable: false,
  searched: false,
})
