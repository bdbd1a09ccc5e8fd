// One note of a plan with what is known of it: what the steps of both sides work with.

import { v7 as uuid } from 'uuid'
import type { FolderEntry } from '../../db/repos/folders.ts'
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

/** A change brings back what both sides had and one of them deleted. */
export const isOutweighed = ({ plan: { step }, entry, isTrashed }: Task): boolean =>
  step?.do === 'copy' &&
  step.deleted &&
  entry !== null &&
  entry.base_text !== null &&
  (step.to === 'file' || isTrashed)
