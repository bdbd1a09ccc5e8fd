// Reads an archive one entry at a time. Archives are a classic attack, so none of their metadata is trusted: names are
// checked, sizes are counted while unpacking, nesting is limited.

import { createWriteStream } from 'node:fs'
import { Transform } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import type { Entry, ZipFile } from 'yauzl'
import { extensionOf, folderOf, stemOf } from '../../../core/text/paths.ts'
import { refuseFullDisk } from '../../../db/disk-space.ts'
import { isDiskFull } from '../../../db/pg-errors.ts'
import { type ArchiveEntry, listEntries, maxEntries, openArchive, readEntry } from '../../vault/archive.ts'
import { maxFileBytes, SkippedFile, tooLarge } from '../../vault/paths.ts'
import { isBesideChats, isChatsName } from '../chats/chat.ts'
import { createScratchFile, openStored, type ScratchFile } from '../file/attachment.ts'
import type { PlainFile } from '../file/format.ts'
import { isoTime } from '../file/notebook.ts'
import { unquoteFrom } from '../mail/split-mbox.ts'
import type { Parser } from '../parse/parser.ts'
import { expandChats } from './expand-chats.ts'
import { createNotionNames, isExportName, type NotionNames, readNotionFile } from './notion.ts'

const maxDepth = 3

type ZipTask = ExpandContext & {
  source: Uint8Array | string
  prefix: string
  depth: number
  /** For a part of an export: the names of all parts. */
  names?: NotionNames | null | undefined
}

type OpenArchive = {
  zip: ZipFile
  task: ZipTask
  unpack: ReturnType<typeof createUnpackEntry>
  /** Whether it is an export of conversations. */
  holdsChats: boolean
}

/** An archive's files, with paths below `prefix`. Throws `SkippedFile` if it cannot be read at all. */
export async function* expandZip(task: ZipTask): AsyncGenerator<PlainFile> {
  const zip = await openArchive(task.source)
  try {
    const { entries, leftOut } = await listEntries(zip)
    if (entries.length === 0) throw new SkippedFile('it has no files')
    const holdsChats = entries.some(({ path }) => isChatsName(path))
    const archive = { zip, task, unpack: createUnpackEntry(zip, task), holdsChats }
    const names = task.names === undefined ? await findNames(archive, entries) : task.names
    for (const entry of entries) {
      const path = task.prefix + entry.path
      yield* skippingProblems(path, expandEntry(archive, entry, names))
    }
    if (leftOut > 0) {
      yield { path: `${task.prefix}…`, skip: `the archive holds ${leftOut} files more than ${maxEntries}` }
    }
  } finally {
    zip.close()
  }
}

async function findNames({ unpack }: OpenArchive, entries: readonly ArchiveEntry[]) {
  const paths = entries.filter(({ skip }) => skip === null).map(({ path }) => path)
  return createNotionNames([...paths, ...(await listParts(entries, unpack))])
}

async function* expandEntry(
  archive: OpenArchive,
  { path: inside, entry, skip, warnings }: ArchiveEntry,
  names: NotionNames | null,
): AsyncGenerator<PlainFile> {
  const { zip, task, unpack } = archive
  const { prefix, budget } = task
  const path = prefix + inside
  if (skip !== null) return yield { path, skip }

  const extension = extensionOf(inside)
  if (extension === '.zip') return yield* expandInner(archive, inside, entry, names)
  if (extension === '.mbox') {
    const unpacked = await unpack(entry)
    try {
      return yield* expandMailbox(task, { file: unpacked.file, path })
    } finally {
      await unpacked.remove()
    }
  }
  if (isChatsName(inside)) {
    const unpacked = await unpack(entry)
    try {
      return yield* expandChats(task, { file: unpacked.file, path })
    } finally {
      await unpacked.remove()
    }
  }
  if (archive.holdsChats && isBesideChats(inside))
    return yield { path, skip: 'of an export of conversations only the conversations are imported' }
  budget.spend(entry.uncompressedSize)
  const bytes = await readEntry(zip, entry, maxFileBytes)
  // Where an entry has no time zone, it is that of the machine.
  const modified = isoTime(entry.getLastModDate().getTime()) ?? undefined
  if (!names) return yield { path, bytes, warnings, modified }

  const renamed = names.rename(inside)
  if (renamed === null) return
  yield { path: prefix + renamed, bytes: readNotionFile(names, inside, bytes), warnings, modified }
}

async function* expandInner(
  { task, unpack }: OpenArchive,
  inside: string,
  entry: Entry,
  names: NotionNames | null,
): AsyncGenerator<PlainFile> {
  if (task.depth + 1 >= maxDepth)
    throw new SkippedFile('it is an archive inside of archives, nested too deeply')
  const { file, remove } = await unpack(entry)
  const inner = { ...task, source: file, depth: task.depth + 1 }
  try {
    yield* isPart(inside)
      ? expandZip({ ...inner, names })
      : expandZip({ ...inner, prefix: task.prefix + prefixOf(inside), names: undefined })
  } finally {
    await remove()
  }
}

const prefixOf = (path: string): string =>
  isExportName(stemOf(path)) ? folderOf(path) : `${path.slice(0, -'.zip'.length)}/`

/** Unpacks nested archives and mailboxes to disk. Each is charged to the budget once, however often it is unpacked. */
function createUnpackEntry(outer: ZipFile, { budget, scratch }: ExpandContext) {
  const paid = new Set<Entry>()

  /** Throws `SkippedFile`, and the errors of `refuseFullDisk`; nothing is left on disk then. */
  return async (entry: Entry): Promise<ScratchFile> => {
    if (!paid.has(entry)) budget.spend(entry.uncompressedSize)
    paid.add(entry)
    const unpacked = await createScratchFile(scratch)
    try {
      await refuseFullDisk(scratch, entry.uncompressedSize)
      await unpack(outer, entry, unpacked.file)
      return unpacked
    } catch (error) {
      await unpacked.remove()
      if (error instanceof SkippedFile || isDiskFull(error)) throw error
      throw new SkippedFile(
        `it cannot be unpacked: ${error instanceof Error ? error.message : String(error)}`,
      )
    }
  }
}

async function unpack(outer: ZipFile, entry: Entry, file: string): Promise<void> {
  let size = 0
  const counted = new Transform({
    transform(bytes: Buffer, _encoding, done) {
      size += bytes.length
      if (size > entry.uncompressedSize) done(new SkippedFile('it is larger than the archive says'))
      else done(null, bytes)
    },
  })
  await pipeline(await outer.openReadStreamPromise(entry), counted, createWriteStream(file, { mode: 0o600 }))
}

/** Notion splits a large export into archives inside one; their files belong to one tree. */
const isPart = (path: string): boolean => /^(?:[^/]*\/)?[^/]*Part-\d+\.zip$/i.test(path)

/** The paths in an archive's parts. A part's problems are reported when it is unpacked. */
async function listParts(
  entries: readonly ArchiveEntry[],
  unpack: (entry: ArchiveEntry['entry']) => Promise<ScratchFile>,
): Promise<string[]> {
  const paths: string[] = []
  for (const { path, entry, skip } of entries) {
    if (skip !== null || !isPart(path)) continue
    try {
      paths.push(...(await listPart(await unpack(entry))))
    } catch (error) {
      if (!(error instanceof SkippedFile)) throw error
    }
  }
  return paths
}

async function listPart({ file, remove }: ScratchFile): Promise<string[]> {
  try {
    const zip = await openArchive(file)
    try {
      return (await listEntries(zip)).entries.map(({ path }) => path)
    } finally {
      zip.close()
    }
  } finally {
    await remove()
  }
}

/** The messages of a mailbox on disk, by their numbers in it; its name is their folder's. */
export async function* expandMailbox(
  context: ExpandContext,
  { file, path }: { file: string | Buffer; path: string },
): AsyncGenerator<PlainFile> {
  const folder = path.slice(0, path.length - extensionOf(path).length).slice(-maxFolderLength)
  const mailbox = await openStored(file)
  try {
    const messages = await context.parser.readMailbox(file, mailbox.size)
    if (messages.length === 0) throw new SkippedFile('it has no messages in mbox format')
    for (const [index, { start, end, flags }] of messages.entries()) {
      const name = `${path}/${index + 1}`
      if (end - start > maxFileBytes) {
        yield { path: name, skip: tooLarge(end - start) }
        continue
      }
      const bytes = unquoteFrom(await mailbox.read(start, end - start))
      yield { path: name, bytes, mail: { sent: false, places: [{ folder, flags }] } }
    }
  } finally {
    await mailbox.close()
  }
}

const maxFolderLength = 1000

/** Unpacking state, shared by all the files of an import. */
export type ExpandContext = {
  parser: Parser
  budget: Budget
  /** Folder for unpacked containers that are read from disk. */
  scratch: string
}

/** Unpacking budget of one import, nested archives included. */
export type Budget = {
  /** Charges an entry's bytes to the budget. Throws `SkippedFile` if that exceeds it. */
  spend(bytes: number): void
}

const maxBytes = 20 * 1024 * 1024 * 1024

const maxFiles = 500_000

export function createBudget({ bytes = maxBytes, files = maxFiles } = {}): Budget {
  const budget = { bytes, files }
  return {
    spend(size) {
      budget.bytes -= size
      budget.files -= 1
      if (budget.files < 0) throw new SkippedFile(`its archives hold more than ${files} files`)
      if (budget.bytes < 0)
        throw new SkippedFile(`its archives unpack to more than ${Math.round(bytes / 1024 ** 2)} MB`)
    },
  }
}

/** Files until one cannot be read; then the reason, under `path`. */
export async function* skippingProblems(
  path: string,
  files: AsyncIterable<PlainFile>,
): AsyncGenerator<PlainFile> {
  try {
    yield* files
  } catch (error) {
    if (!(error instanceof SkippedFile)) throw error
    yield { path, skip: error.message }
  }
}
