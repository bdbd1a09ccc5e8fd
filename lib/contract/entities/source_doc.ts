import { createHash } from 'node:crypto'
import { z } from 'zod'
import { cleanText } from '../../core/text/clean.ts'
import { maxBodyLength, title } from './fields.ts'
import { defineKind, textOf } from './kind.ts'

/** An imported original. The title can be corrected; text and bytes never change. Agents can draft only a new title. */
export const kind = defineKind({
  type: 'source_doc',
  table: 'source_docs',
  path: 'source-docs',
  label: 'file',
  fields: z.object({
    title: title(),
    mime: z
      .string()
      .regex(/^[\w.+-]+\/[\w.+-]+$/)
      .max(120),
    text: z.string().overwrite(cleanText).max(maxBodyLength),
    metadata: z.record(z.string(), z.json()),
  }),
  defaults: { text: '', mime: 'text/plain', metadata: {} },
  fixed: ['mime', 'text', 'metadata'],
  derived: z.object({ sha256: z.string() }),
  derive: (fields) => ({ sha256: createHash('sha256').update(textOf(fields.text)).digest('hex') }),
  bodyField: 'text',
  hidden: ['original'],
  proposable: 'update',
})
