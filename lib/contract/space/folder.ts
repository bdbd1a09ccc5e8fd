// A folder that is kept in step with a Space, on the wire.

import { z } from 'zod'

const Listed = z.object({
  count: z.int(),
  paths: z.array(z.string()).describe('The first of them'),
})

export const FolderReview = z
  .enum(['off', 'others', 'all'])
  .describe(
    'Whether what changes in the folder waits as drafts: `all` of it, or what `others` change, outside of the paths of the owner’s own words',
  )

const agents = z
  .array(z.string())
  .describe('Traces of coding agents in the folder, a reason to review changes')

export const Folder = z.object({
  path: z.string(),
  state: z.enum(['in_step', 'syncing', 'paused']),
  problem: z.string().nullable().describe('Why it is paused; a sentence'),
  own: z.array(z.string()).describe('Patterns of paths at which the owner’s own words stand'),
  review: FolderReview,
  agents,
  waiting: z.int().describe('Notes that wait for a decision on a draft'),
  files: z.int().describe('Notes in the folder'),
  held: z
    .array(z.object({ path: z.string(), reason: z.string().describe('The rest of a sentence about it') }))
    .describe('Files and pages that cannot be kept in step'),
  last_at: z.iso.datetime().nullable().describe('When both sides were last compared'),
  watched: z
    .boolean()
    .describe('False where the system does not report every change: then a scan finds them, every minute'),
})

export type Folder = z.infer<typeof Folder>

export const ConnectedFolder = Folder.extend({ space_id: z.uuid() })

export type ConnectedFolder = z.infer<typeof ConnectedFolder>

/** `**` stands for any number of folders; in a name `*` and `?` for letters. */
export const OwnPaths = z
  .union([z.boolean(), z.array(z.string().min(1).max(500)).max(100)])
  .describe(
    'Where the owner’s own words stand: patterns of paths such as `Journal/**`, or true for all of the folder. Everything else counts as written by others. Default: as it was; at first, nowhere',
  )

export const FolderPreview = z.object({
  path: z.string(),
  to_space: Listed.describe('Files that would become pages'),
  to_folder: Listed.describe('Pages that would become files'),
  equal: z.int().describe('Notes that are the same on both sides'),
  different: Listed.describe('Notes whose texts differ: both stay, and the owner decides'),
  agents,
  held: Folder.shape.held,
})

export type FolderReview = z.infer<typeof FolderReview>

export type FolderPreview = z.infer<typeof FolderPreview>

export const FolderLogEntry = z.object({
  seq: z.int(),
  at: z.iso.datetime(),
  side: z.enum(['file', 'page']).describe('Where it was done'),
  action: z
    .enum(['created', 'updated', 'moved', 'deleted', 'restored', 'conflict', 'kept', 'drafted', 'outweighed'])
    .describe(
      '`kept`: a late write, saved beside its note. `drafted`: waits for the owner. `outweighed`: deleted on one side and changed on the other, it is back',
    ),
  path: z.string(),
  page_id: z.uuid().nullable(),
  page_version: z.int().nullable().describe('The version of the page after it'),
  audit_seq: z.int().nullable().describe('The audit row of the change of the page, which can be undone'),
})

export type FolderLogEntry = z.infer<typeof FolderLogEntry>
