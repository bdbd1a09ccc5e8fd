// What became of the files of an import: file by file, added up, and as a job that goes on in the background.

import { z } from 'zod'
import { count, id, time } from './scalars.ts'

export const Outcome = z.enum([
  'created',
  'updated',
  'moved',
  'unchanged',
  /** The file changed, and so did the entity: the entity stays as its owner left it. */
  'conflict',
  /** The owner deleted the entity; the file does not bring it back. */
  'deleted',
  'skipped',
  /** No longer in the folder; what was made of it stays. */
  'gone',
])
export type Outcome = z.infer<typeof Outcome>

export const FileOutcome = z.object({
  /** A folder's ends in a slash. */
  path: z.string(),
  outcome: Outcome,
  title: z.string().nullable(),
  entity_type: z.string().nullable(),
  entity_id: z.string().nullable(),
  reason: z
    .string()
    .nullable()
    .describe(
      'Why it was skipped or left alone, or where it came from; the rest of a sentence about the file',
    ),
  warnings: z.array(z.string()).describe('What to know about a file that was imported nevertheless'),
})
export type FileOutcome = z.infer<typeof FileOutcome>

const totals = {
  counts: z.record(Outcome, count).describe('Files by outcome; folders are not counted'),
  created: z
    .record(z.string(), count)
    .describe('What was created, by kind; `folder` for the pages of folders without a file'),
}

export const ImportResult = z.object({
  ...totals,
  notes: z.array(FileOutcome).describe('The outcomes that a person should read: all but plain successes'),
  stopped: z.boolean().describe('Ended early; running it again continues'),
})
export type ImportResult = z.infer<typeof ImportResult>

/** The names in a folder compared with what earlier imports made of it. */
export const Survey = z.object({
  gone: z
    .array(z.string())
    .describe('Known paths, folders too, that are no longer there; to be sent with the files'),
  kept: z.array(FileOutcome).describe('The files among them whose entities still exist'),
  lookalike: z
    .object({ source: z.string(), count })
    .nullable()
    .describe('For a new source: another one of the Space with most of the same paths, and how many'),
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

/** An import as a job. */
export const ImportJob = z.object({
  id,
  space_id: id,
  source: z.string().describe('Whose files they are'),
  root: z.string().nullable().describe('The archive that is the whole import'),
  state: ImportState,
  files: count.describe('Uploaded and not yet done with'),
  bytes: count,
  done: count.describe('Files that are done, those in archives included'),
  /** In a preview, what would become of the files. */
  ...totals,
  problem: z.string().nullable(),
  created_at: time,
  updated_at: time,
})
export type ImportJob = z.infer<typeof ImportJob>

/** What became of one file of a job. */
export const JobFile = FileOutcome.extend({
  seq: z.int(),
  undone: z.string().nullable().describe('After an undo: whether this was, or why not'),
})
export type JobFile = z.infer<typeof JobFile>

/** How many files of an upload were stored. */
export const Received = z.object({ received: count })
export type Received = z.infer<typeof Received>

/** A file that was attached to a Space. */
export const Attachment = z.object({
  id,
  name: z.string().describe('What an embed names it by: `![[name]]`'),
  mime: z.string(),
  size: count.describe('In bytes'),
  existing: z.boolean().describe('The Space had these bytes already, under this name'),
})
export type Attachment = z.infer<typeof Attachment>
