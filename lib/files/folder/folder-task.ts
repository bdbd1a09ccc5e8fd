// One note of a plan with what is known of it: what the steps of both sides work with.

import { v7 as uuid } from 'uuid'
import type { FolderEntry, FolderIntent } from '../../db/repos/folders.ts'
import type { FileLook } from './look-at-files.ts'
import type { PageLook } from './look-at-pages.ts'
import type { NotePlan } from './plan/plan-folder.ts'

export type Task = {
  plan: NotePlan
  /** Where the file is or is to be. */
  path: string
  entry: FolderEntry | null
  file: FileLook | null
  page: (PageLook & { id: string }) | null
  /** The entry's page is in the trash. */
  isTrashed: boolean
}

/** What both sides hold now, as it is stored. */
export function entryOf(task: Task, changes: Partial<FolderEntry>): FolderEntry {
  const { entry, file, page, path } = task
  return {
    id: entry?.id ?? uuid(),
    path,
    base_text: entry?.base_text ?? null,
    file_text: file?.text ?? null,
    file_bytes: file?.bytes ?? null,
    fingerprint: file?.fingerprint ?? '',
    identity: file?.identity ?? null,
    page_id: page?.id ?? null,
    page_version: page?.version ?? null,
    page_text: page?.text ?? null,
    waiting_file: null,
    waiting_page: null,
    pending_change_id: null,
    review_path: null,
    former_bytes: null,
    ...changes,
  }
}

/** A write brings back a file that both sides had and that was deleted. `entry`: as it was before. */
export const isOutweighing = ({ kind, old_hash }: FolderIntent, entry: FolderEntry | null): boolean =>
  kind === 'write' &&
  old_hash === null &&
  entry !== null &&
  entry.base_text !== null &&
  // Of a file that was never seen since it was written nobody knows that it was deleted.
  entry.fingerprint !== ''
