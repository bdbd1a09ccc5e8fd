// The files of a drop, of a chooser, and their bytes.

import type { Picked } from './import-plan.ts'

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
  const found: Picked[] = []
  for await (const child of children(entry as FileSystemDirectoryEntry)) {
    found.push(...(await walk(child, `${path}/`)))
  }
  return found
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
