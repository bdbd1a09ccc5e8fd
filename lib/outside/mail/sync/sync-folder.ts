// One folder, made here what it is on the server. What is missing is found by comparing what is there with what is here, so
// a sync that was killed goes on where it was, whatever it had taken in; the newest messages come first.

import { v7 as uuid } from 'uuid'
import type { Database } from '../../../db/pool.ts'
import { createMailAccountsRepo, type Mailbox } from '../../../db/repos/mail_accounts.ts'
import {
  createMailFoldersRepo,
  type MailFolderRow,
  type NewLocation,
} from '../../../db/repos/mail_folders.ts'
import { analyzeFilledTables } from '../../../db/repos/maintenance.ts'
import type { Search } from '../../../search/search.ts'
import { storeMessages } from '../store/store-messages.ts'
import type { FlaggedMessage, ListedFolder, ListedMessage, MailServer, OpenedFolder } from './mail-server.ts'
import { type ReadingDeps, type ReadMessage, readAhead, readMessages, toBatches } from './read-messages.ts'

export type SyncDeps = ReadingDeps & {
  database: Database
  search: Pick<Search, 'index' | 'defer' | 'maintain'>
}

type FolderSync = {
  account: Mailbox & { space_id: string }
  server: MailServer
  path: string
  signal: AbortSignal
  /** Called whenever something came in. */
  onNews: () => void
  /** Awaited now and then while much comes in, to look at other folders. It may leave another one open. */
  lookAround?: (() => Promise<void>) | undefined
}

/** Messages that are described at once. */
const maxDescribed = 200

const maxRemoved = 1000

/** So many at once change what the search index is like. */
const manyMessages = 1000

/** The folder as it was when it was opened. Rejects when aborted, or with what the server rejects with. */
export async function syncFolder(deps: SyncDeps, sync: FolderSync): Promise<OpenedFolder> {
  const { server, path, signal } = sync
  const repo = createMailFoldersRepo(deps.database)
  const opened = await server.open(path)
  const folder = await openFolder(deps, sync, opened)
  if (await isUnchanged(deps, folder, opened)) return opened

  const pair = { server, folder, opened }
  const changes = await findChanges(deps, pair)
  if (changes) await apply(deps, { sync, ...pair, difference: changes })
  // If the counts add up, trust the server's list.
  if (!changes || (await repo.countUids(folder.id)) !== opened.exists) {
    await apply(deps, { sync, ...pair, difference: await compareLists(deps, pair) })
  }
  signal.throwIfAborted()
  await deps.database.transaction((tx) => createMailFoldersRepo(tx).finish(folder.id, opened))
  return opened
}

type Applying = {
  sync: FolderSync
  folder: MailFolderRow
  opened: OpenedFolder
  difference: FolderDifference
}

async function apply(deps: SyncDeps, { sync, folder, opened, difference }: Applying): Promise<void> {
  const { onNews } = sync
  const { missing, gone, flags } = difference
  const repo = createMailFoldersRepo(deps.database)
  await takeInAll(deps, { sync, folder, opened }, missing)
  if (missing.length >= manyMessages) await deps.search.maintain()
  for (let at = 0; at < gone.length; at += maxRemoved) {
    await repo.removeLocations(folder.id, gone.slice(at, at + maxRemoved))
  }
  let flagged = 0
  for await (const group of flags) flagged += await repo.setFlags(folder.id, group.map(sorted))
  if (gone.length + flagged > 0) onNews()
}

/** The newest first; what arrives meanwhile comes before what is left of the rest. */
async function takeInAll(
  deps: SyncDeps,
  { sync, folder, opened }: Omit<Applying, 'difference'>,
  missing: readonly number[],
): Promise<void> {
  const { server, path, signal } = sync
  const waiting = [...missing]
  // Old servers do not say it.
  let next = Number(opened.uid_next) || (missing[0] ?? 0) + 1
  for (let groups = 1; waiting.length > 0; groups += 1) {
    signal.throwIfAborted()
    const described = await server.describe(waiting.splice(0, maxDescribed))
    await takeInGroup(deps, { sync, folder }, described)
    if (described.length === maxDescribed && isPowerOfTwo(groups)) await analyzeFilledTables(deps.database)
    if (waiting.length === 0) return
    if (sync.lookAround) {
      await sync.lookAround()
      await server.open(path)
    }
    const arrived = await server.listUids(next)
    waiting.unshift(...arrived.toReversed())
    next = (arrived.at(-1) ?? next - 1) + 1
  }
}

async function takeInGroup(
  deps: SyncDeps,
  { sync, folder }: Pick<Applying, 'sync' | 'folder'>,
  described: readonly ListedMessage[],
): Promise<void> {
  const { server, signal, onNews } = sync
  const newestFirst = described.toSorted((a, b) => b.uid - a.uid)
  for await (const read of readAhead(toBatches(newestFirst), (batch) => readMessages(server, batch, deps))) {
    await takeIn(deps, { sync, folder, read })
    onNews()
    // What has been read is stored first.
    signal.throwIfAborted()
  }
}

/** Each time that twice as many have come in. */
const isPowerOfTwo = (number: number): boolean => Number.isInteger(Math.log2(number))

const sorted = ({ uid, flags }: FlaggedMessage) => ({ uid, flags: flags.toSorted() })

/** Numbers of another UIDVALIDITY are of other messages: the folder is begun anew. */
async function openFolder(
  { database }: SyncDeps,
  { account, path }: FolderSync,
  { uid_validity }: OpenedFolder,
): Promise<MailFolderRow> {
  return await database.transaction(async (tx) => {
    if (!(await createMailAccountsRepo(tx).lockMailbox(account))) {
      throw new Error('The account reads something else by now.')
    }
    const repo = createMailFoldersRepo(tx)
    const open = () => repo.open({ id: uuid(), account_id: account.id, path })
    let folder = await open()
    if (folder.uid_validity !== null && folder.uid_validity !== uid_validity) {
      await repo.replace(folder.id)
      folder = await open()
    }
    if (folder.uid_validity === null) await repo.begin(folder.id, uid_validity)
    return folder
  })
}

/** Only a server that counts changes can say that no flag has changed. */
async function isUnchanged(
  { database }: SyncDeps,
  folder: MailFolderRow,
  opened: OpenedFolder,
): Promise<boolean> {
  return (
    folder.complete &&
    folder.uid_next === opened.uid_next &&
    opened.highest_modseq !== null &&
    folder.highest_modseq === opened.highest_modseq &&
    (await createMailFoldersRepo(database).countUids(folder.id)) === opened.exists
  )
}

type Batch = { sync: FolderSync; folder: MailFolderRow; read: readonly ReadMessage[] }

/** Messages and where they lie, in one transaction: a sync that is killed forgets neither. */
async function takeIn(deps: SyncDeps, { sync: { account }, folder, read }: Batch): Promise<void> {
  await deps.database.checkRoom()
  await deps.database.transaction(async (tx) => {
    const messages = read.flatMap(({ incoming }) => incoming ?? [])
    const { id: account_id, space_id } = account
    const stored = await storeMessages(tx, deps.search, { space_id, account_id, messages })
    if (!stored) return
    let next = 0
    const locations = read.map((one) => toLocation(one, one.incoming ? stored[next++]!.id : null))
    await createMailFoldersRepo(tx).addLocations(folder.id, locations)
  })
}

const toLocation = ({ listed: { uid, flags } }: ReadMessage, message_id: string | null): NewLocation => ({
  uid,
  message_id,
  flags: flags.toSorted(),
  problem: message_id === null ? 'It could not be read within the limits of time and memory.' : null,
})

// What a folder on the server has that the one here has not, and the other way round.

type FolderDifference = {
  /** The newest first. */
  missing: number[]
  gone: number[]
  /** Flags of messages that are there already, in groups. */
  flags: AsyncIterable<FlaggedMessage[]>
}

type FolderPair = { server: MailServer; folder: MailFolderRow; opened: OpenedFolder }

/** From what the server says has changed since the folder was complete; null where it cannot tell. */
async function findChanges(
  { database }: { database: Database },
  { server, folder, opened }: FolderPair,
): Promise<FolderDifference | null> {
  const { complete, highest_modseq: since, uid_next: from } = folder
  if (!complete || since === null || from === null || opened.highest_modseq === null) return null
  const changes = await server.listChanges(since)
  if (!changes) return null
  const known = new Set(await createMailFoldersRepo(database).listUids(folder.id, from))
  const isNew = ({ uid }: FlaggedMessage) => uid >= Number(from) && !known.has(uid)
  return {
    missing: changes.flagged
      .filter(isNew)
      .map(({ uid }) => uid)
      .toSorted((a, b) => b - a),
    gone: changes.gone,
    flags: once(changes.flagged),
  }
}

/** From two lists of numbers, which any server has. */
async function compareLists(
  { database }: { database: Database },
  { server, folder, opened }: FolderPair,
): Promise<FolderDifference> {
  const known = await createMailFoldersRepo(database).listUids(folder.id)
  const there = await server.listUids()
  const since = opened.highest_modseq === null ? null : folder.highest_modseq
  return {
    missing: without(there, new Set(known)).reverse(),
    gone: without(known, new Set(there)),
    flags: known.length > 0 ? server.listFlags(since) : once([]),
  }
}

const without = (numbers: readonly number[], others: ReadonlySet<number>): number[] =>
  numbers.filter((number) => !others.has(number))

async function* once(flagged: FlaggedMessage[]): AsyncGenerator<FlaggedMessage[]> {
  if (flagged.length > 0) yield flagged
}

/** Never read, whatever was chosen. */
const never = new Set(['\\Junk', '\\Trash'])

/** Without junk and trash. */
export const readableFolders = (listed: readonly ListedFolder[]): ListedFolder[] =>
  listed.filter(({ use }) => use === null || !never.has(use))

/**
 * The folders of an account that are read, the inbox first: those that were chosen, else inbox, sent mail and the
 * archive, or what holds everything where there is no archive.
 */
export function pickFolders(listed: readonly ListedFolder[], chosen: readonly string[] | null): string[] {
  const readable = readableFolders(listed)
  const isInbox = ({ path, use }: ListedFolder) => use === '\\Inbox' || path.toUpperCase() === 'INBOX'
  const used = (use: string) => readable.filter((folder) => folder.use === use)
  const archive = used('\\Archive').length > 0 ? used('\\Archive') : used('\\All')
  const picked = chosen
    ? readable.filter(({ path }) => chosen.includes(path))
    : [...readable.filter(isInbox), ...used('\\Sent'), ...archive]
  const inboxFirst = picked.toSorted((a, b) => Number(isInbox(b)) - Number(isInbox(a)))
  return [...new Set(inboxFirst.map(({ path }) => path))].slice(0, maxFolders)
}

const maxFolders = 100
