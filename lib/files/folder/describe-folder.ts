import type { Folder } from '../../contract/space/folder.ts'
import type { Queryable } from '../../db/pool.ts'
import { createFolderEntriesRepo, type FolderRow } from '../../db/repos/folders.ts'
import { createTrustedOriginsRepo } from '../../db/repos/trusted_origins.ts'

/** A folder as the owner is shown it. `running`: what a server that is at it says. */
export async function describeFolder(
  db: Queryable,
  row: FolderRow,
  running: { busy: boolean; unsettled: boolean } = { busy: false, unsettled: false },
): Promise<Folder> {
  const { id, space_id, path, paused, problem, review, agents, files, held, last_at, watched } = row
  const isBusy = last_at === null || running.busy || running.unsettled
  const state = paused || problem !== null ? 'paused' : isBusy ? 'syncing' : 'in_step'
  const own = await createTrustedOriginsRepo(db).listOwnPaths(space_id)
  const waiting = await createFolderEntriesRepo(db, id).countWaiting()
  return { path, state, problem, own, review, agents, waiting, files, held, last_at, watched }
}
