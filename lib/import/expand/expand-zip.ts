// What an archive holds, one entry at a time. It is the classic way to do harm, so nothing that it says of itself is
// believed: names are checked, sizes are counted while unpacking, archives in archives have an end.

import { createWriteStream } from 'node:fs'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { Transform } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import type { Entry, ZipFile } from 'yauzl'
import { extensionOf } from '../file-name.ts'
import { SkippedFile } from '../format.ts'
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

const deepest = 3

type ZipTask = { source: Uint8Array | string; prefix: string; parser: Parser; budget: Budget; depth: number }

/** The files of an archive, their paths below `prefix`. Throws `SkippedFile` when it cannot be read at all. */
export async function* expandZip(task: ZipTask): AsyncGenerator<PlainFile> {
  const zip = await openArchive(task.source)
  try {
    const { entries, leftOut } = await list(zip)
    const names = createNotionNames(entries.map(({ path }) => path))
    const mail = await joinMail(zip, task, entries)
    for (const entry of entries) {
      const path = task.prefix + entry.path
      yield* skippingProblems(path, mail.get(entry) ?? expandEntry(zip, task, entry, names))
    }
    if (leftOut > 0) {
      yield { path: `${task.prefix}…`, skip: `the archive holds ${leftOut} files more than ${mostEntries}` }
    }
  } finally {
    zip.close()
  }
}

async function list(zip: ZipFile) {
  try {
    return await listEntries(zip)
  } catch (error) {
    throw new SkippedFile(
      `its list of files is broken: ${error instanceof Error ? error.message : String(error)}`,
    )
  }
}

async function* expandEntry(
  zip: ZipFile,
  task: ZipTask,
  { path: inside, entry, skip }: ArchiveEntry,
  names: NotionNames | null,
): AsyncGenerator<PlainFile> {
  const { prefix, parser, budget } = task
  const path = prefix + inside
  if (skip !== null) return yield { path, skip }

  const extension = extensionOf(inside)
  budget.spend(entry.uncompressedSize)
  if (extension === '.zip') return yield* expandInner(zip, task, inside, entry)
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

// Notion parts a large export into archives inside one; their files belong to one tree.
async function* expandInner(
  zip: ZipFile,
  task: ZipTask,
  inside: string,
  entry: Entry,
): AsyncGenerator<PlainFile> {
  if (task.depth + 1 >= deepest)
    throw new SkippedFile('it is an archive inside of archives, nested too deeply')
  const part = /^[^/]*Part-\d+\.zip$/i.test(inside)
  const prefix = part ? task.prefix : `${task.prefix}${inside.slice(0, -'.zip'.length)}/`
  const folder = await mkdtemp(join(tmpdir(), 'void-archive-'))
  try {
    const file = join(folder, 'inner.zip')
    const counted = new Transform({
      transform(bytes: Buffer, _encoding, done) {
        size += bytes.length
        if (size > entry.uncompressedSize) done(new SkippedFile('it is larger than the archive says'))
        else done(null, bytes)
      },
    })
    let size = 0
    await pipeline(await zip.openReadStreamPromise(entry), counted, createWriteStream(file, { mode: 0o600 }))
    yield* expandZip({ ...task, source: file, prefix, depth: task.depth + 1 })
  } catch (error) {
    if (error instanceof SkippedFile || !(error instanceof Error)) throw error
    throw new SkippedFile(`it cannot be unpacked: ${error.message}`)
  } finally {
    await rm(folder, { recursive: true, force: true })
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
    const bytes: Uint8Array[] = []
    for (const { entry } of thread) bytes.push(await readEntry(zip, entry, largestFile))
    yield* expandConversation(parser, prefix + thread[0]!.path, bytes)
  }
}

async function* joined(path: string, into: string): AsyncGenerator<PlainFile> {
  yield { path, joined: into }
}
