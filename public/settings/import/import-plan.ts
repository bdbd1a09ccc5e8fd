// What is imported, under which names, and in which requests.

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
  const named = picked.map(({ path, file }) => ({
    path: folder === null ? path : path.slice(folder.length + 1),
    file,
  }))
  const files = named.filter(({ path }) => !path.split('/').some(isHidden))
  return {
    source: folder ?? looseSource,
    folder,
    files: files.toSorted((a, b) => depth(a.path) - depth(b.path) || (a.path < b.path ? -1 : 1)),
    hidden: named.length - files.length,
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
