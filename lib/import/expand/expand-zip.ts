// What an archive holds, one entry at a time. It is the classic way to do harm, so nothing that it says of itself is
// believed: names are checked, sizes are counted while unpacking, archives in archives have an end.

import type { Entry, ZipFile } from 'yauzl'
import { type ArchiveEntry, listEntries, maxEntries } from '../../vault/archive/list-entries.ts'
import { openArchive, readEntry, readEntryStart } from '../../vault/archive/open-archive.ts'
import { extensionOf } from '../../vault/file-name.ts'
import { maxFileBytes } from '../../vault/file-size.ts'
import { SkippedFile } from '../../vault/skipped-file.ts'
import type { PlainFile } from '../file/source-file.ts'
import { collectMessages } from '../mail/gather-messages.ts'
import { groupThreads, type Message } from '../mail/group-threads.ts'
import { headerBytes, readHeaders } from '../mail/read-headers.ts'
import type { ExpandContext } from './expand-context.ts'
import { expandConversation } from './expand-conversation.ts'
import { expandMailbox } from './expand-mailbox.ts'
import { isPart, listParts } from './list-parts.ts'
import { createNotionNames, type NotionNames, readNotionPage } from './notion.ts'
import { skippingProblems } from './skipping-problems.ts'
import { createUnpackEntry } from './unpack-entry.ts'

const maxDepth = 3

type ZipTask = ExpandContext & {
  source: Uint8Array | string
  prefix: string
  depth: number
  /** For a part of an export, the names of all of it. */
  names?: NotionNames | null | undefined
}

type OpenArchive = { zip: ZipFile; task: ZipTask; unpack: ReturnType<typeof createUnpackEntry> }

/** The files of an archive, their paths below `prefix`. Throws `SkippedFile` when it cannot be read at all. */
export async function* expandZip(task: ZipTask): AsyncGenerator<PlainFile> {
  const zip = await openArchive(task.source)
  try {
    const { entries, leftOut } = await listEntries(zip)
    if (entries.length === 0) throw new SkippedFile('it has no files')
    const archive = { zip, task, unpack: createUnpackEntry(zip, task) }
    const names = task.names === undefined ? await findNames(archive, entries) : task.names
    const mail = await joinMail(zip, task, entries)
    for (const entry of entries) {
      const path = task.prefix + entry.path
      yield* skippingProblems(path, mail.get(entry) ?? expandEntry(archive, entry, names))
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
      return yield* expandMailbox(task, { file: unpacked.file, folder: path.slice(0, -extension.length) })
    } finally {
      await unpacked.remove()
    }
  }
  budget.spend(entry.uncompressedSize)
  const bytes = await readEntry(zip, entry, maxFileBytes)
  if (!names) return yield { path, bytes, warnings }

  const renamed = names.rename(inside)
  if (renamed === null) return
  yield { path: prefix + renamed, bytes: relink(names, extension, bytes), warnings }
}

function relink(names: NotionNames, extension: string, bytes: Buffer): Uint8Array {
  if (!['.md', '.html', '.csv'].includes(extension)) return bytes
  const text = names.relink(bytes.toString('utf8'))
  return Buffer.from(extension === '.md' ? readNotionPage(text) : text)
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
      : expandZip({ ...inner, prefix: `${task.prefix}${inside.slice(0, -'.zip'.length)}/`, names: undefined })
  } finally {
    await remove()
  }
}

/** For each message file of the archive what it expands to: the oldest of a conversation to all of it. */
async function joinMail(
  zip: ZipFile,
  task: ZipTask,
  entries: readonly ArchiveEntry[],
): Promise<Map<ArchiveEntry, AsyncIterable<PlainFile>>> {
  const { prefix, budget } = task
  const messages: Message<ArchiveEntry>[] = []
  for (const entry of entries) {
    if (extensionOf(entry.path) !== '.eml' || entry.skip !== null) continue
    const start = await readEntryStart(zip, entry.entry, headerBytes).catch(() => null)
    if (start) messages.push({ key: entry, headers: readHeaders(start) })
  }

  const files = new Map<ArchiveEntry, AsyncIterable<PlainFile>>()
  for (const thread of groupThreads(messages)) {
    const [first, ...others] = thread.map(({ key }) => key)
    files.set(first!, conversation(thread.map(({ key }) => key)))
    for (const other of others) files.set(other, joined(prefix + other.path, prefix + first!.path))
  }
  return files

  async function* conversation(thread: ArchiveEntry[]): AsyncGenerator<PlainFile> {
    const reads = thread.map(({ entry }) => async () => {
      budget.spend(entry.uncompressedSize)
      return await readEntry(zip, entry, maxFileBytes)
    })
    yield* expandConversation(task, prefix + thread[0]!.path, await collectMessages(reads))
  }
}

async function* joined(path: string, into: string): AsyncGenerator<PlainFile> {
  yield { path, joined: into }
}
