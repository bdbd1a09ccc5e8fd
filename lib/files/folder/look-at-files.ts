// What the files of a folder hold. Only what changed since it was read last is read, once it has been quiet for a moment;
// and everything after a start and once a day, as a disk may say of a file that it is as it was.

import { folderOf } from '../../core/text/paths.ts'
import { createFolderEntriesRepo, type FolderEntry } from '../../db/repos/folders.ts'
import { emptyText, hashOf, maxNoteBytes, readNoteText } from '../vault/note-bytes.ts'
import { codeOf, type FileStat, fingerprintOf, identityOf, isOfDisk } from './disk/disk.ts'
import { readStill } from './disk/safe-write.ts'
import type { Held, Scan } from './disk/scan.ts'
import type { Pass } from './folder-deps.ts'
import type { FileState } from './plan/match-notes.ts'

const quietMs = 500
/** Editors that write in place empty a file first. */
const emptyQuietMs = 5000
/** A file whose times lie this far back is quiet, whenever it was seen first. */
const longAgoMs = 3000
/** What the system announced before was looked at. */
const announcedMs = 60_000
const readAtOnce = 16
const dayMs = 24 * 3_600_000

export type FileLook = {
  fingerprint: string
  identity: string | null
  /** Hashes; null: not read. */
  text: string | null
  bytes: string | null
}

export type FilesLook = {
  files: FileState[]
  /** By path. */
  looks: Map<string, FileLook>
  held: Held[]
  /** Files that somebody else made or changed, each with its state. */
  changed: string[]
  /** Whether some have to be looked at again soon. */
  unsettled: boolean
}

export async function lookAtFiles(
  pass: Pass,
  scan: Scan,
  entries: readonly FolderEntry[],
): Promise<FilesLook> {
  const known = new Map(entries.map((entry) => [entry.path, entry]))
  const look: FilesLook = { files: [], looks: new Map(), held: [], changed: [], unsettled: false }
  const toRead: [string, FileStat][] = []
  const { memory, clock } = pass
  const readsAll = isReadingAll(pass)
  for (const [path, stat] of scan.files) {
    if (pass.unsettledPaths.has(path)) continue
    const entry = known.get(path)
    const fingerprint = fingerprintOf(stat)
    const isKnown = entry?.fingerprint === fingerprint && entry.file_text !== null
    if (isKnown && readsAll) toRead.push([path, stat])
    else if (isKnown) {
      const { identity, file_text: text, file_bytes: bytes } = entry
      add(look, path, { fingerprint, identity, text, bytes })
      memory.unsettled.delete(path)
    } else if (isQuiet(pass, path, stat, entry)) toRead.push([path, stat])
    else {
      look.unsettled = true
      look.files.push({ path, side: { is: 'unknown' }, identity: identityOf(stat) })
    }
  }
  for (let from = 0; from < toRead.length; from += readAtOnce)
    await Promise.all(
      toRead
        .slice(from, from + readAtOnce)
        .map(([path, stat]) => read(pass, look, { path, stat, entry: known.get(path) })),
    )
  if (readsAll) memory.allRead = clock()
  addUnseen(pass, look, scan, entries)
  for (const path of memory.unsettled.keys())
    if (!scan.files.has(path) && !scan.copies.has(path)) memory.unsettled.delete(path)
  for (const [path, at] of memory.announced) if (clock() - at >= announcedMs) memory.announced.delete(path)
  return look
}

/** Whether every file is to be read, whatever its state. */
export const isReadingAll = ({ memory, clock }: Pass): boolean =>
  memory.allRead === null || clock() - memory.allRead >= dayMs

function add(look: FilesLook, path: string, one: FileLook): void {
  look.looks.set(path, one)
  look.files.push({ path, side: { is: 'text', text: one.text! }, identity: one.identity })
}

/** Whether nobody is writing the file: it has been as it is for a moment. */
export function isQuiet(
  { memory, clock, now, urgent }: Pass,
  path: string,
  stat: FileStat,
  entry?: FolderEntry,
): boolean {
  const fingerprint = fingerprintOf(stat)
  const isEmptied = stat.size === 0 && entry !== undefined && entry.file_text !== emptyText
  if (urgent.has(path) && !isEmptied) return true
  const age = BigInt(now().getTime()) * 1_000_000n - max(stat.changedNs, stat.modifiedNs)
  const announced = memory.announced.get(path)
  // The clock of a disk whose changes the system announces is that of this machine.
  if (announced !== undefined && !isEmptied && clock() - announced >= quietMs && age >= nsOf(quietMs))
    return true
  const seen = memory.unsettled.get(path)
  if (seen?.fingerprint === fingerprint) return clock() - seen.since >= (isEmptied ? emptyQuietMs : quietMs)
  memory.unsettled.set(path, { fingerprint, since: clock() })
  return !isEmptied && age > nsOf(longAgoMs)
}

const nsOf = (ms: number) => BigInt(ms) * 1_000_000n

const max = (a: bigint, b: bigint) => (a > b ? a : b)

type Unread = { path: string; stat: FileStat; entry: FolderEntry | undefined }

async function read(pass: Pass, look: FilesLook, { path, stat, entry }: Unread): Promise<void> {
  const identity = identityOf(stat)
  const put = (side: FileState['side']) => look.files.push({ path, side, identity })
  const hold = (reason: string) => {
    look.held.push({ path, reason })
    put({ is: 'held', reason })
  }
  if (stat.size > maxNoteBytes) return hold('is larger than a page may be')
  try {
    const still = await readStill(pass.disk, path)
    if (still === null || fingerprintOf(still.stat) !== fingerprintOf(stat)) {
      look.unsettled = true
      put({ is: 'unknown' })
      return
    }
    const { text, problem } = readNoteText(still.bytes)
    if (text === null) return hold(problem)
    pass.memory.unsettled.delete(path)
    const [fingerprint, bytes] = [fingerprintOf(stat), hashOf(still.bytes)]
    if (entry?.file_bytes !== bytes && entry?.fingerprint !== fingerprint)
      look.changed.push(`${path} ${fingerprint}`)
    add(look, path, { fingerprint, identity, text: hashOf(text), bytes })
  } catch (error) {
    look.held.push({ path, reason: `cannot be read (${codeOf(error) || 'unknown error'})` })
    put({ is: 'unknown' })
  }
}

/** Known files that the scan did not find, and that may be there all the same. */
function addUnseen(
  { unsettledPaths }: Pass,
  look: FilesLook,
  scan: Scan,
  entries: readonly FolderEntry[],
): void {
  const held = new Map(scan.held.map(({ path, reason }) => [path, reason]))
  for (const { path, identity } of entries) {
    const isOpen = unsettledPaths.has(path)
    if (scan.files.has(path) && !isOpen) continue
    const reason = held.get(path)
    if (reason !== undefined && !reason.startsWith('cannot be read'))
      look.files.push({ path, side: { is: 'held', reason }, identity })
    else if (isOpen || reason !== undefined || !isProvenAbsent(scan, held, path))
      look.files.push({ path, side: { is: 'unknown' }, identity })
  }
}

/** Every folder down to where it would be was listed, or is not there itself. */
function isProvenAbsent({ listed }: Scan, held: ReadonlyMap<string, string>, path: string): boolean {
  for (let folder = folderOf(path); ; folder = folderOf(folder)) {
    if (listed.has(folder)) return true
    if (folder === '' || held.has(folder) || held.has(folder.slice(0, -1))) return false
  }
}

/**
 * Paths of files, of pages that somebody is about to change, with another text than the one last read. A file that cannot be
 * read now is left to the next pass.
 */
export async function findUnseen(pass: Pass, pageIds: readonly string[]): Promise<string[]> {
  const { database, folder, disk } = pass
  const unseen: string[] = []
  for (const entry of await createFolderEntriesRepo(database, folder.id).listOfPages(pageIds)) {
    try {
      const stat = await disk.stat(entry.path)
      if (stat?.kind !== 'file' || stat.size > maxNoteBytes || stat.isPlaceholder) continue
      if (fingerprintOf(stat) === entry.fingerprint) continue
      const still = await readStill(disk, entry.path)
      if (still === null || hashOf(still.bytes) === entry.file_bytes) continue
      const { text } = readNoteText(still.bytes)
      if (text !== null && hashOf(text) !== entry.file_text) unseen.push(entry.path)
    } catch (error) {
      if (!isOfDisk(error)) throw error
    }
  }
  return unseen
}
