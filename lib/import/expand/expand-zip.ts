// What an archive holds, one entry at a time. It is the classic way to do harm, so nothing that it says of itself is
// believed: names are checked, sizes are counted while unpacking, archives in archives have an end.

import type { Entry, ZipFile } from 'yauzl'
import { type ArchiveEntry, listEntries, maxEntries } from '../../vault/archive/list-entries.ts'
import { openArchive, readEntry } from '../../vault/archive/open-archive.ts'
import { extensionOf } from '../../vault/file-name.ts'
import { maxFileBytes } from '../../vault/file-size.ts'
import { SkippedFile } from '../../vault/skipped-file.ts'
import type { PlainFile } from '../file/source-file.ts'
import type { ExpandContext } from './expand-context.ts'
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
