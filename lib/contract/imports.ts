// Import results per file, in total, and as a background job.

import { z } from 'zod'
import { count, id, time } from './scalars.ts'

/** A product whose conversations can be imported. */
export const ChatProduct = z.enum(['chatgpt', 'claude'])
export type ChatProduct = z.infer<typeof ChatProduct>

export const Outcome = z.enum([
  'created',
  'updated',
  'moved',
  'unchanged',
  /** Both the file and the entity changed: the entity is left unchanged. */
  'conflict',
  /** The owner deleted the entity; the import does not restore it. */
  'deleted',
  'skipped',
  /** No longer in the folder; the imported entity is kept. */
  'gone',
])
export type Outcome = z.infer<typeof Outcome>

export const FileOutcome = z.object({
  /** Folder paths end in a slash. */
  path: z.string(),
  outcome: Outcome,
  title: z.string().nullable(),
  entity_type: z.string().nullable(),
  entity_id: z.string().nullable(),
  reason: z
    .string()
    .nullable()
    .describe(
      'Reason it was skipped or left unchanged, or its previous location; completes a sentence about the file',
    ),
  warnings: z.array(z.string()).describe('Warnings about a file that was still imported'),
})
export type FileOutcome = z.infer<typeof FileOutcome>

const totals = {
  counts: z.record(Outcome, count).describe('Number of files by outcome, without folders'),
  created: z
    .record(z.string(), count)
    .describe(
      'Number of created entities by kind; `folder` counts pages created for folders without a file of their own',
    ),
}

export const ImportResult = z.object({
  ...totals,
  notes: z.array(FileOutcome).describe('Outcomes to review: all except plain successes'),
  stopped: z.boolean().describe('`true` if the import ended early; run it again to continue'),
})
export type ImportResult = z.infer<typeof ImportResult>

/** Comparison of a folder's file names with earlier imports. */
export const Survey = z.object({
  gone: z
    .array(z.string())
    .describe(
      'Previously imported paths, including folders, that no longer exist; to be sent with the files',
    ),
  kept: z.array(FileOutcome).describe('The files in `gone` whose entities still exist'),
  lookalike: z
    .object({ source: z.string(), count })
    .nullable()
    .describe(
      'For a new source: an existing source in the Space with most of the same paths, and the number of shared paths',
    ),
})
export type Survey = z.infer<typeof Survey>

export const ImportState = z.enum([
  'open',
  'previewing',
  'previewed',
  'running',
  'stopped',
  'failed',
  'done',
  'undoing',
  'undone',
])
export type ImportState = z.infer<typeof ImportState>

/** An import job. */
export const ImportJob = z.object({
  id,
  space_id: id,
  source: z.string().describe('Import source that the files belong to'),
  root: z
    .string()
    .nullable()
    .describe(
      'Path of the uploaded archive that is the whole import; paths of its contents omit its name. null: none',
    ),
  state: ImportState,
  files: count.describe('Number of uploaded files not yet processed'),
  bytes: count,
  done: count.describe('Number of processed files, including those in archives'),
  /** In a preview: the expected outcomes. */
  ...totals,
  problem: z.string().nullable(),
  created_at: time,
  updated_at: time,
})
export type ImportJob = z.infer<typeof ImportJob>

/** Outcome of one file of an import job. */
export const JobFile = FileOutcome.extend({
  seq: z.int(),
  undone: z.string().nullable().describe('After an undo: `undone`, or the reason it was not undone'),
})
export type JobFile = z.infer<typeof JobFile>

/** Number of stored files of an upload. */
export const Received = z.object({ received: count })
export type Received = z.infer<typeof Received>

/** A file attached to a Space. */
export const Attachment = z.object({
  id,
  name: z.string().describe('Name to use in an embed: `![[name]]`'),
  mime: z.string(),
  size: count.describe('Size in bytes'),
  existing: z
    .boolean()
    .describe('`true` if the Space already had a file with these bytes; `name` is then its name'),
})
export type Attachment = z.infer<typeof Attachment>
