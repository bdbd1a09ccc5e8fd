// What is imported, under which names, and in which requests.

import { isVaultSettings } from '../../../lib/core/text/paths.ts'

export type Picked<Content = File> = { path: string; file: Content }

export type Plan<Content = File> = {
  /** Identifies the import: the same name finds the same files again. */
  source: string
  /** The folder, where it is one. */
  folder: string | null
  files: Picked<Content>[]
  /** Hidden files and files of operating systems: neither imported nor listed. */
  hidden: number
}

/** Loose files have no folder name: they share this source. */
export const looseSource = 'Files from the browser'

const systemFiles = new Set(['thumbs.db', 'desktop.ini', 'icon\r', '__macosx'])

const maxBatchFiles = 40

const maxBatchBytes = 4 * 1024 * 1024

/**
 * Sorts what was dropped or chosen. One folder alone is that folder, and its files are named below it; anything else
 * are loose files. Folders come before what is in them.
 */
export function planImport<Content>(picked: readonly Picked<Content>[]): Plan<Content> {
  const tops = new Set(picked.map(({ path }) => path.split('/')[0]!))
  const [top] = tops
  const folder = tops.size === 1 && top && picked.every(({ path }) => path.includes('/')) ? top : null
  const entries = picked.map(({ path, file }) => ({
    path: folder === null ? path : path.slice(folder.length + 1),
    file,
  }))
  const files = entries.filter(({ path }) => isVaultSettings(path) || !path.split('/').some(isHidden))
  return {
    source: folder ?? looseSource,
    folder,
    files: files.toSorted((a, b) => depth(a.path) - depth(b.path) || (a.path < b.path ? -1 : 1)),
    hidden: entries.length - files.length,
  }
}

/** The files in batches, one for each request. */
export function batchFiles<Content extends { size: number }>(
  files: readonly Picked<Content>[],
): Picked<Content>[][] {
  const batches: Picked<Content>[][] = []
  let bytes = Number.POSITIVE_INFINITY
  for (const picked of files) {
    const current = batches.at(-1)
    if (!current || current.length >= maxBatchFiles || bytes + picked.file.size > maxBatchBytes) {
      batches.push([picked])
      bytes = picked.file.size
    } else {
      current.push(picked)
      bytes += picked.file.size
    }
  }
  return batches
}

/** Whether a file may be larger than others: the server streams it. */
export const isContainer = (path: string): boolean => /\.(zip|mbox)$/i.test(path)

const isHidden = (name: string) => name.startsWith('.') || systemFiles.has(name.toLowerCase())

const depth = (path: string) => path.split('/').length

// The files of a drop, of a chooser, and their bytes.

/** Every file of a drop, with its path; folders are walked. Call it before the drop event ends. */
export async function readDrop(transfer: DataTransfer): Promise<Picked[]> {
  const entries = [...transfer.items].flatMap((item) => item.webkitGetAsEntry() ?? [])
  return await readEntries(entries, [...transfer.files])
}

/** Every file below what was dropped; `files` is used where the browser has no entries. */
export async function readEntries(
  entries: readonly FileSystemEntry[],
  files: readonly File[],
): Promise<Picked[]> {
  if (entries.length === 0) return files.map((file) => ({ path: file.name, file }))
  return (await Promise.all(entries.map((entry) => walk(entry, '')))).flat()
}

/** The files of an `<input type="file">`, of a folder too. */
export const readInput = (input: HTMLInputElement): Picked[] =>
  [...(input.files ?? [])].map((file) => ({ path: file.webkitRelativePath || file.name, file }))

/** Rejects when the browser cannot read the file any more. */
export async function toBase64(file: File): Promise<string> {
  const { promise, resolve, reject } = Promise.withResolvers<string>()
  const reader = new FileReader()
  reader.onload = () => resolve(String(reader.result))
  reader.onerror = () => reject(reader.error)
  reader.readAsDataURL(file)
  return (await promise).split(',')[1] ?? ''
}

async function walk(entry: FileSystemEntry, above: string): Promise<Picked[]> {
  const path = above + entry.name
  if (isFile(entry)) {
    const file = await new Promise<File | null>((resolve) => entry.file(resolve, () => resolve(null)))
    return file ? [{ path, file }] : []
  }
  const files: Picked[] = []
  for await (const child of children(entry as FileSystemDirectoryEntry)) {
    files.push(...(await walk(child, `${path}/`)))
  }
  return files
}

const isFile = (entry: FileSystemEntry): entry is FileSystemFileEntry => entry.isFile

// A reader hands out a hundred at a time, and an empty list at the end.
async function* children(folder: FileSystemDirectoryEntry): AsyncGenerator<FileSystemEntry> {
  const reader = folder.createReader()
  for (;;) {
    const some = await new Promise<FileSystemEntry[]>((resolve) =>
      reader.readEntries(resolve, () => resolve([])),
    )
    if (some.length === 0) return
    yield* some
  }
}
