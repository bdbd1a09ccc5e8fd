// Drafts that the owner has decided on: from then on the page is what counts, and the next pass brings it to the file.

import type { PendingChange } from '../../contract/changes/pending-change.ts'
import { createFolderPagesRepo } from '../../db/repos/folder_pages.ts'
import { createFolderEntriesRepo, type FolderEntry } from '../../db/repos/folders.ts'
import { createPendingChangesRepo } from '../../db/repos/pending_changes.ts'
import type { Pass } from './folder-deps.ts'

export async function settleDecided(pass: Pass): Promise<void> {
  const { database, folder } = pass
  const repo = createFolderEntriesRepo(database, folder.id)
  for (const entry of await repo.listWaiting()) {
    const change = await findLatest(pass, entry.pending_change_id!)
    if (change?.status === 'pending') {
      if (change.id !== entry.pending_change_id) await repo.save({ ...entry, pending_change_id: change.id })
      continue
    }
    const isDecided = change?.status === 'approved' || change?.status === 'rejected'
    if (entry.review_path !== null && change && isDecided) await settleReview(pass, entry, change)
    else
      await repo.save({
        ...entry,
        ...nothingWaits,
        base_text: isDecided ? entry.waiting_file : entry.base_text,
      })
  }
}

const nothingWaits = {
  waiting_file: null,
  waiting_page: null,
  pending_change_id: null,
  review_path: null,
} as const

/** What took the place of a draft, as far as that goes. Null: it is gone with its Space. */
async function findLatest({ database, folder }: Pass, id: string): Promise<PendingChange | null> {
  const changes = createPendingChangesRepo(database)
  const within = { space_ids: [folder.space_id], agent_id: null }
  let change = await changes.find(id, within)
  while (change?.status === 'superseded' && change.superseded_by)
    change = await changes.find(change.superseded_by, within)
  return change
}

async function settleReview(pass: Pass, entry: FolderEntry, change: PendingChange): Promise<void> {
  const { database, folder } = pass
  const repo = createFolderEntriesRepo(database, folder.id)
  const isApproved = change.status === 'approved'
  if (entry.waiting_file === null) {
    // As a page that has no file yet, it gets one.
    if (!isApproved) return await repo.remove([entry.id])
    return await repo.save({ ...entry, ...nothingWaits })
  }
  if (isApproved && change.entity_type === 'page')
    await createFolderPagesRepo(database, folder.space_id).markFromFolder(change.entity_id)
  await repo.save({
    ...entry,
    ...nothingWaits,
    path: entry.review_path!,
    base_text: entry.waiting_file,
    page_id: entry.page_id ?? (isApproved ? change.entity_id : null),
  })
}
