// Walks a folder on disk. Names first, then bytes one file at a time on demand, so that a vault of any size is imported
// in little memory.

import { constants, type Dirent, type Stats } from 'node:fs'
import { lstat, open, readdir, realpath } from 'node:fs/promises'
import { basename } from 'node:path'
import { isHidden, isVaultSettings } from '../../../core/text/paths.ts'
import { detectEncoding } from '../../vault/detect-encoding.ts'
import { compareNames, maxContainerBytes, maxFileBytes, tooLarge } from '../../vault/paths.ts'
import { isContainer } from '../expand/expand-files.ts'
import type { SourceFile } from '../file/format.ts'
import { isoTime } from '../file/notebook.ts'

/** A file's path below the folder, and its name on disk; `skip` is the reason why it is not read. */
export type FoundFile = {
  path: string
  location: string | Buffer
  /** When it was changed, where that is not read with its bytes: ISO 8601. */
  modified?: string | undefined
  skip?: string
}

/** Reads a file, or returns the reason why not. */
type ReadLocation = (file: FoundFile) => Promise<SourceFile>

export type FolderListing = {
  root: string
  files: FoundFile[]
  /** Settings of the vault's app, which an import reads and leaves out. */
  settings: FoundFile[]
  hidden: number
  /** The path of an archive that is the whole import. */
  archive: string | null
}

/** The contents of a folder, or the one file at a path. Throws file system errors. */
export async function listSource(path: string): Promise<FolderListing> {
  const root = await realpath(path)
  if (!(await lstat(root)).isFile()) return await listFolder(root)
  const name = basename(root)
  return {
    root,
    files: [{ path: name, location: root }],
    settings: [],
    hidden: 0,
    archive: /\.zip$/i.test(name) ? name : null,
  }
}

/**
 * Every file below a folder, in import order. Hidden files and folders (`.obsidian`) are counted and skipped. Symbolic
 * links are not followed, so no file comes from outside or appears twice. An unreadable folder is listed with the
 * reason; this throws only for `folder` itself.
 */
export async function listFolder(folder: string): Promise<FolderListing> {
  const root = await realpath(folder)
  const listing: FolderListing = { root, files: [], settings: [], hidden: 0, archive: null }
  await walk(listing, Buffer.from(root), '')
  return listing
}

/** Reads the files one by one. Unreadable ones are passed on with the reason. */
export async function* readFiles(
  files: Iterable<FoundFile>,
  read: ReadLocation = readFromDisk,
): AsyncGenerator<SourceFile> {
  for (const file of files) {
    const { path, skip } = file
    if (skip !== undefined) yield { path, skip }
    else yield await read(file)
  }
}

async function walk(listing: FolderListing, location: Buffer, path: string): Promise<void> {
  const entries = await readdir(location, { withFileTypes: true, encoding: 'buffer' })
  const decoded = entries.map((entry) => ({ entry, name: decodeName(entry.name) }))
  const visible = decoded.filter(({ name }) => !isHidden(name))
  listing.hidden += decoded.length - visible.length
  for (const { entry, name } of decoded) {
    if (entry.isDirectory() && name === '.obsidian')
      listing.settings.push(...(await listSettings(join(location, entry.name), `${path}${name}/`)))
  }

  const files = visible.filter(({ entry }) => !entry.isDirectory())
  const folders = visible.filter(({ entry }) => entry.isDirectory())
  const inFolder = compareNames(path)
  for (const { entry, name } of files.sort((a, b) => inFolder(a.name, b.name))) {
    listing.files.push(asFound(entry, path + name, join(location, entry.name)))
  }
  for (const { entry, name } of folders.sort((a, b) => inFolder(a.name, b.name))) {
    const below = join(location, entry.name)
    await walk(listing, below, `${path}${name}/`).catch((error: unknown) => {
      listing.files.push({
        path: path + name,
        location: below,
        skip: `the folder ${unreadableReason(error)}`,
      })
    })
  }
}

async function listSettings(location: Buffer, path: string): Promise<FoundFile[]> {
  const entries = await readdir(location, { withFileTypes: true, encoding: 'buffer' }).catch(() => [])
  return entries.flatMap((entry) => {
    const found = asFound(entry, path + decodeName(entry.name), join(location, entry.name))
    return isVaultSettings(found.path) && found.skip === undefined ? [found] : []
  })
}

function asFound(entry: Dirent<Buffer>, path: string, location: Buffer): FoundFile {
  if (entry.isFile()) return { path, location }
  const skip = entry.isSymbolicLink()
    ? 'it is a symbolic link, which is not followed'
    : 'it is neither a file nor a folder'
  return { path, location, skip }
}

// O_NOFOLLOW and the second check: a listed file may have been replaced.
async function readFromDisk({ path, location }: FoundFile): Promise<SourceFile> {
  try {
    const before = await lstat(location)
    if (!isReadable(before)) return { path, skip: 'it is not a file any more' }
    if (isContainer(path)) {
      return before.size > maxContainerBytes
        ? { path, skip: 'it has more than 20 GB' }
        : { path, stored: location }
    }
    if (before.size > maxFileBytes) return { path, skip: tooLarge(before.size) }

    const file = await open(location, constants.O_RDONLY | constants.O_NOFOLLOW)
    try {
      return { path, bytes: await file.readFile(), modified: isoTime(before.mtimeMs) ?? undefined }
    } finally {
      await file.close()
    }
  } catch (error) {
    return { path, skip: `it ${unreadableReason(error)}` }
  }
}

const isReadable = (stats: Stats) => stats.isFile()

const join = (folder: Buffer, name: Buffer) => Buffer.concat([folder, Buffer.from('/'), name])

// A name that is not UTF-8 comes from an old archive.
function decodeName(name: Buffer): string {
  try {
    return new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(name)
  } catch {
    return new TextDecoder(detectEncoding(name)).decode(name)
  }
}

function unreadableReason(error: unknown): string {
  const code = error instanceof Error && 'code' in error ? error.code : undefined
  if (code === 'EACCES' || code === 'EPERM') return 'may not be read (permission denied)'
  if (code === 'ENOENT') return 'is gone'
  return `cannot be read (${code ?? (error instanceof Error ? error.message : String(error))})`
}
