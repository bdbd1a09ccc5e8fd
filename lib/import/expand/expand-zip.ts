// What an archive holds, one entry at a time. It is the classic way to do harm, so nothing that it says of itself is
// believed: names are checked, sizes are counted while unpacking, archives in archives have an end.

import type { Entry, ZipFile } from 'yauzl'
import { extensionOf } from '../file-name.ts'
import { SkippedFile } from '../format.ts'
import { gatherMessages } from '../mail/gather-messages.ts'
import { groupThreads, type Message } from '../mail/group-threads.ts'
import { readHeaders } from '../mail/read-headers.ts'
import type { Parser } from '../parse/parser.ts'
import { largestFile, type PlainFile } from '../source-file.ts'
import { inMemory } from '../stored-bytes.ts'
import { type ArchiveEntry, listEntries, mostEntries } from '../zip/list-entries.ts'
import { createNotionNames, type NotionNames, readNotionPage } from '../zip/notion.ts'
import { openArchive, readEntry } from '../zip/open-archive.ts'
import type { Budget } from './budget.ts'
import { expandConversation } from './expand-conversation.ts'
import { expandMailbox, skippingProblems } from './expand-mailbox.ts'
import { createInnerArchives } from './inner-archives.ts'
import { isPart, listParts } from './list-parts.ts'

const deepest = 3

type ZipTask = {
  source: Uint8Array | string
  prefix: string
  parser: Parser
  budget: Budget
  depth: number
  /** For a part of an export, the names of all of it. */
  names?: NotionNames | null | undefined
}

type OpenArchive = { zip: ZipFile; task: ZipTask; unpack: ReturnType<typeof createInnerArchives> }

/** The files of an archive, their paths below `prefix`. Throws `SkippedFile` when it cannot be read at all. */
export async function* expandZip(task: ZipTask): AsyncGenerator<PlainFile> {
  const zip = await openArchive(task.source)
  try {
    const { entries, leftOut } = await listEntries(zip)
    if (entries.length === 0) throw new SkippedFile('it holds no files')
    const archive = { zip, task, unpack: createInnerArchives(zip, task.budget) }
    const names = task.names === undefined ? await findNames(archive, entries) : task.names
    const mail = await joinMail(zip, task, entries)
    for (const entry of entries) {
      const path = task.prefix + entry.path
      yield* skippingProblems(path, mail.get(entry) ?? expandEntry(archive, entry, names))
    }
    if (leftOut > 0) {
      yield { path: `${task.prefix}…`, skip: `the archive holds ${leftOut} files more than ${mostEntries}` }
    }
  } finally {
    zip.close()
  }
}

async function findNames({ unpack }: OpenArchive, entries: readonly ArchiveEntry[]) {
  const paths = entries.map(({ path }) => path)
  return createNotionNames([...paths, ...(await listParts(entries, unpack))])
}

async function* expandEntry(
  archive: OpenArchive,
  { path: inside, entry, skip }: ArchiveEntry,
  names: NotionNames | null,
): AsyncGenerator<PlainFile> {
  const { zip, task } = archive
  const { prefix, parser, budget } = task
  const path = prefix + inside
  if (skip !== null) return yield { path, skip }

  const extension = extensionOf(inside)
  if (extension === '.zip') return yield* expandInner(archive, inside, entry, names)
  budget.spend(entry.uncompressedSize)
  const bytes = await readEntry(zip, entry, largestFile)
  if (extension === '.mbox') {
    return yield* expandMailbox({
      mailbox: inMemory(bytes),
      folder: path.slice(0, -extension.length),
      parser,
    })
  }
  if (!names) return yield { path, bytes }

  const renamed = names.rename(inside)
  if (renamed === null) return
  yield { path: prefix + renamed, bytes: relink(names, extension, bytes) }
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
  if (task.depth + 1 >= deepest)
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
  { prefix, parser }: ZipTask,
  entries: readonly ArchiveEntry[],
): Promise<Map<ArchiveEntry, AsyncIterable<PlainFile>>> {
  const messages: Message<ArchiveEntry>[] = []
  for (const entry of entries) {
    if (extensionOf(entry.path) !== '.eml' || entry.skip !== null) continue
    const bytes = await readEntry(zip, entry.entry, largestFile).catch(() => null)
    if (bytes) messages.push({ key: entry, headers: readHeaders(bytes) })
  }

  const files = new Map<ArchiveEntry, AsyncIterable<PlainFile>>()
  for (const thread of groupThreads(messages)) {
    const [first, ...others] = thread.map(({ key }) => key)
    files.set(first!, conversation(thread.map(({ key }) => key)))
    for (const other of others) files.set(other, joined(prefix + other.path, prefix + first!.path))
  }
  return files

  async function* conversation(thread: ArchiveEntry[]): AsyncGenerator<PlainFile> {
    const reads = thread.map(
      ({ entry }) =>
        () =>
          readEntry(zip, entry, largestFile),
    )
    yield* expandConversation(parser, prefix + thread[0]!.path, await gatherMessages(reads))
  }
}

async function* joined(path: string, into: string): AsyncGenerator<PlainFile> {
  yield { path, joined: into }
}
