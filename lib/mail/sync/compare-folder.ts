// What a folder on the server has that the one here has not, and the other way round.

import type { Database } from '../../db/pool.ts'
import { createMailFoldersRepo, type MailFolderRow } from '../../db/repos/mail_folders.ts'
import type { FlaggedMessage, MailServer, OpenedFolder } from './mail-server.ts'

export type FolderDifference = {
  /** The newest first. */
  missing: number[]
  gone: number[]
  /** Flags of messages that are there already, in groups. */
  flags: AsyncIterable<FlaggedMessage[]>
}

export type FolderPair = { server: MailServer; folder: MailFolderRow; opened: OpenedFolder }

/** From what the server says has changed since the folder was complete; null where it cannot tell. */
export async function findChanges(
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
export async function compareLists(
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
