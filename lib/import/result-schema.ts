// What an import says on the wire, for the route that sends it and the command that reads it.

import { z } from 'zod'
import { type FileOutcome, type ImportResult, outcomes } from './outcome.ts'
import type { Survey } from './survey.ts'

const fileOutcome = z.object({
  path: z.string(),
  outcome: z.enum(outcomes),
  title: z.string().nullable(),
  entity_type: z.string().nullable(),
  entity_id: z.string().nullable(),
  reason: z.string().nullable().describe('Why it was skipped, or where it came from'),
  warnings: z.array(z.string()),
}) satisfies z.ZodType<FileOutcome>

const count = z.int().min(0)

export const importResult = z.object({
  counts: z.record(z.enum(outcomes), count),
  created: z
    .record(z.string(), count)
    .describe('What was created, by kind; `folder` for pages without a file'),
  notes: z.array(fileOutcome).describe('All but plain successes'),
  stopped: z.boolean(),
}) satisfies z.ZodType<ImportResult>

export const survey = z.object({
  gone: z.array(z.string()).describe('Known paths that are no longer there; to be sent with the files'),
  kept: z.array(fileOutcome).describe('The files among them whose entities still exist'),
  lookalike: z
    .object({ source: z.string(), count })
    .nullable()
    .describe('Another source of the Space with most of the same paths'),
}) satisfies z.ZodType<Survey>
