import { createMailFoldersRepo } from '../../db/repos/mail_folders.ts'
import { createMailMessagesRepo } from '../../db/repos/mail_messages.ts'
import { stopped } from './mail-problem.ts'
import type { KnownFolder, MailServer } from './mail-server.ts'
import { pickFolders } from './pick-folders.ts'
import { type SyncDeps, syncFolder } from './sync-folder.ts'

export type AccountSync = {
  account: { id: string; space_id: string; folders: string[] | null }
  server: MailServer
  signal: AbortSignal
  onNews: () => void
}

/**
 * All folders of an account, the first of them, which is the inbox, again while much of the others comes in; then what
 * none of them has any more. The first as it was. Rejects with a `mail_stopped` `AppError` when there is none to read.
 */
export async function syncAccount(deps: SyncDeps, sync: AccountSync): Promise<KnownFolder> {
  const { account, server } = sync
  const paths = pickFolders(await server.listFolders(), account.folders)
  const [first] = paths
  if (first === undefined) throw stopped('None of the chosen folders is there. Choose others.')
  const inbox = { path: first, opened: await syncFolder(deps, { ...sync, path: first }) }
  const lookAround = async () => void (await syncFolder(deps, { ...sync, path: first }))
  for (const path of paths.slice(1)) {
    sync.signal.throwIfAborted()
    await syncFolder(deps, { ...sync, path, lookAround })
  }
  await createMailFoldersRepo(deps.database).removeOthers(account.id, paths)
  // Only now: what was moved from one folder to another was gone for a while.
  const lost = await createMailMessagesRepo(deps.database).deleteLost(account.id)
  if (lost > 0) sync.onNews()
  return inbox
}
