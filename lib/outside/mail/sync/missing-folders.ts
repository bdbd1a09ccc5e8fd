// Folders that were read and that the server no longer has. Their mail stays, and a folder that holds the same messages is
// proposed: a name alone, or a folder's numbers, prove nothing.

import type { MissingFolder } from '../../../contract/mail.ts'
import { createMailAccountsRepo, type Mailbox } from '../../../db/repos/mail_accounts.ts'
import { createMailboxesRepo } from '../../../db/repos/mailboxes.ts'
import { isRefusedCommand, type ListedFolder, type MailServer } from './mail-server.ts'
import { readMessages, toBatches } from './read-messages.ts'
import { readableFolders, type SyncDeps } from './sync-folder.ts'

type Looking = {
  account: Pick<Mailbox, 'id' | 'folders'>
  server: MailServer
  listed: readonly ListedFolder[]
  /** The paths of those that are read. */
  read: readonly string[]
}

/** Folders that are opened to find one. */
const maxCandidates = 100

/** Of those, the ones whose messages are looked at. */
const maxCompared = 5

/** Stores which folders are missing, and what is proposed for each. Whether that is news. Leaves any folder open. */
export async function noteMissingFolders(deps: SyncDeps, looking: Looking): Promise<boolean> {
  const { account, listed } = looking
  const repo = createMailboxesRepo(deps.database)
  const paths = listed.map(({ path }) => path)
  await repo.removeMoved(account.id, paths)
  const withMail = await repo.listMissing(account.id, paths)
  const before = (await createMailAccountsRepo(deps.database).find(account.id))?.missing_folders ?? []
  const missing: MissingFolder[] = []
  for (const folder of withMail) {
    const known = before.find(({ path }) => path === folder.path)
    const isKnown = known && (known.proposed === null || paths.includes(known.proposed))
    const proposed = isKnown ? known.proposed : await findSame(deps, looking, folder)
    missing.push({ ...folder, proposed })
  }
  const isMissing = (path: string) => !paths.includes(path) && missing.every((one) => one.path !== path)
  const chosen = (account.folders ?? []).filter(isMissing)
  missing.push(...chosen.map((path) => ({ path, messages: 0, proposed: null })))
  return await createMailAccountsRepo(deps.database).noteMissingFolders(account.id, missing)
}

/** The folder whose messages are those of the missing one. */
async function findSame(
  deps: SyncDeps,
  { account, server, listed, read }: Looking,
  { path, messages }: { path: string; messages: number },
): Promise<string | null> {
  const candidates: { path: string; distance: number }[] = []
  const others = readableFolders(listed).filter((folder) => !read.includes(folder.path))
  for (const folder of others.slice(0, maxCandidates)) {
    const opened = await server.open(folder.path).catch(nullIfRefused)
    if (!opened || opened.exists === 0) continue
    candidates.push({ path: folder.path, distance: Math.abs(opened.exists - messages) })
  }
  let best: { path: string | null; share: number } = { path: null, share: 0 }
  for (const candidate of candidates.toSorted((a, b) => a.distance - b.distance).slice(0, maxCompared)) {
    const fingerprints = await sampleOf(deps, server, candidate.path)
    const held = await createMailboxesRepo(deps.database).countHeld(account.id, path, fingerprints)
    const share = held / Math.max(1, fingerprints.length)
    if (share >= 0.5 && share > best.share) best = { path: candidate.path, share }
  }
  return best.path
}

/** A folder that the server does not open is none. Rethrows what is wrong with the connection. */
function nullIfRefused(error: unknown): null {
  if (isRefusedCommand(error)) return null
  throw error
}

/** Fingerprints of the oldest messages of a folder, of the newest, and of some between. */
async function sampleOf(deps: SyncDeps, server: MailServer, path: string): Promise<string[]> {
  await server.open(path)
  const uids = await server.listUids()
  const middle = Math.floor(uids.length / 2)
  const sample = new Set([...uids.slice(0, 3), ...uids.slice(middle, middle + 3), ...uids.slice(-3)])
  const fingerprints: string[] = []
  for (const batch of toBatches(await server.describe([...sample]))) {
    const messages = await readMessages(server, batch, deps)
    fingerprints.push(...messages.flatMap(({ incoming }) => incoming?.parsed.fingerprint ?? []))
  }
  return fingerprints
}
