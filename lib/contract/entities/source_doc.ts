import { createHash } from 'node:crypto'
import { z } from 'zod'
import { cleanText } from '../../core/text/clean.ts'
import { maxBodyLength, path, title } from './fields.ts'
import { defineKind, textOf } from './kind.ts'

/** An imported original, or a text kept as a file. The title can be corrected; text and bytes never change, but for the links of a canvas. */
export const kind = defineKind({
  type: 'source_doc',
  table: 'source_docs',
  path: 'source-docs',
  label: 'file',
  fields: z.object({
    title: title(),
    path: path(),
    mime: z
      .string()
      .regex(/^[\w.+-]+\/[\w.+-]+$/)
      .max(120)
      .describe('Default: text/plain'),
    text: z.string().overwrite(cleanText).max(maxBodyLength).describe('Text'),
    metadata: z.record(z.string(), z.json()),
  }),
  defaults: { text: '', mime: 'text/plain', metadata: {} },
  fixed: ['mime', 'text', 'metadata'],
  derived: z.object({ sha256: z.string() }),
  derive: (fields) => ({ sha256: createHash('sha256').update(textOf(fields.text)).digest('hex') }),
  bodyField: 'text',
  hidden: ['original'],
  reserved: ['metadata'],
})
