// Memory: lines that the owner had remembered, on a page that is read into every turn.

import { z } from 'zod'
import { maxStatement } from '../core/text/memory/removed-mark.ts'
import { defineKind } from './entities/kind.ts'
import { count, id } from './scalars.ts'

const fields = z.object({
  quote: z.string().max(1000).describe('Owner’s words'),
  line: z.string().max(300).describe('Default: quote'),
  replaces: z.string().max(400).describe('Old line'),
})

/** What the companion sends to propose a line. What is stored is a draft of the memory page: this kind has no rows. */
export const memoryKind = defineKind({
  type: 'memory',
  table: 'pages',
  path: 'memory',
  label: 'memory line',
  fields,
  bodyField: 'line',
  effect: { editable: [], asks: { fields, required: ['quote'] } },
  internal: true,
})

export const MemoryRequestFields = z.strictObject(fields.partial().shape)

/** A line that a turn was given. */
export const GivenMemory = z.object({
  text: z.string(),
  said: z.string().nullable().describe('Day on which the owner said it; null: written by hand'),
  old: z.boolean().describe('`true` if not confirmed for 180 days'),
})

export type GivenMemory = z.infer<typeof GivenMemory>

const asks = z.boolean().describe('Whether the companion may propose lines that it was not asked to remember')

/** What is set for the memory of a Space. */
export const MemorySettings = z.object({ space_id: z.string(), asks })

export type MemorySettings = z.infer<typeof MemorySettings>

export const MemorySettingsChange = z.strictObject({ asks: asks.optional() })

/** A line that is removed from memory for good. */
export const PurgeRequest = z.strictObject({
  text: z
    .string()
    .trim()
    .min(1)
    .max(maxStatement)
    .describe('Text of the line, with any case and punctuation'),
})

/** What was removed, and what a purge does not reach. */
export const PurgedMemory = z.object({
  page_id: id,
  removed: z.object({
    lines: count.describe('Lines of the page'),
    versions: count.describe('Rows of the audit log, which is the history of the page'),
    drafts: count.describe('Decided drafts of the page'),
    answers: count.describe('Answers whose details list the line'),
  }),
  not_reached: z.array(z.string()),
})

/** What a draft changes in memory. `text` null: a line is forgotten. */
export const MemoryChange = z.object({ text: z.string().nullable(), was: z.string().nullable() })
