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
 * All folders of an account, then what none of them has any more. The first of them, which is the inbox. Rejects
 * with a `mail_stopped` `AppError` when there is none to read.
 */
export async function syncAccount(deps: SyncDeps, sync: AccountSync): Promise<KnownFolder> {
  const { account, server } = sync
  const paths = pickFolders(await server.listFolders(), account.folders)
  const seen: KnownFolder[] = []
  for (const path of paths) {
    sync.signal.throwIfAborted()
    seen.push({ path, opened: await syncFolder(deps, { ...sync, path }) })
  }
  const [inbox] = seen
  if (!inbox) throw stopped('None of the chosen folders is there. Choose others.')
  await createMailFoldersRepo(deps.database).removeOthers(account.id, paths)
  // Only now: what was moved from one folder to another was gone for a while.
  const lost = await createMailMessagesRepo(deps.database).deleteLost(account.id)
  if (lost > 0) sync.onNews()
  return inbox
}
