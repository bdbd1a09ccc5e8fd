// What is brought in, under which names, and in which calls.

export type Picked<Content = File> = { path: string; file: Content }

export type Plan<Content = File> = {
  /** Whose files they are: the same name finds the same files again. */
  source: string
  /** The folder, where it is one. */
  folder: string | null
  files: Picked<Content>[]
  /** Hidden files and what operating systems leave behind: not brought in, not listed. */
  hidden: number
}

/** Loose files have no folder to be known by: they share this name. */
export const looseSource = 'Files from the browser'

const leftByMachines = new Set(['thumbs.db', 'desktop.ini', 'icon\r', '__macosx'])
const filesPerCall = 40
const bytesPerCall = 4 * 1024 * 1024

/**
 * Sorts what was dropped or chosen. One folder alone is that folder, and its files are named below it; anything else
 * is a handful of loose files. Folders come before what is in them.
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

/** Files by the call that carries them: not too many, not too heavy. */
export function inCalls<Content extends { size: number }>(
  files: readonly Picked<Content>[],
): Picked<Content>[][] {
  const calls: Picked<Content>[][] = []
  let bytes = Number.POSITIVE_INFINITY
  for (const picked of files) {
    const current = calls.at(-1)
    if (!current || current.length >= filesPerCall || bytes + picked.file.size > bytesPerCall) {
      calls.push([picked])
      bytes = picked.file.size
    } else {
      current.push(picked)
      bytes += picked.file.size
    }
  }
  return calls
}

/** Whether a file may be larger than others: the server reads it piece by piece. */
export const isContainer = (path: string): boolean => /\.(zip|mbox)$/i.test(path)

const isHidden = (name: string) => name.startsWith('.') || leftByMachines.has(name.toLowerCase())
const depth = (path: string) => path.split('/').length
