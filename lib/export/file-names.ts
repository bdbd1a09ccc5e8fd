import { isHidden } from '../import/check-path.ts'

const longest = 80
/** Bytes of a folder's path beyond which names are numbers: paths have an end on every disk. */
const deepestPath = 1200

export type FileNames = ReturnType<typeof createFileNames>

/** Gives files names that every system can hold, no two in a folder alike, whatever their case. */
export function createFileNames(reserved: readonly string[] = []) {
  const taken = new Set(reserved.map((name) => fold(name)))

  /** A path in `folder` (empty, or with a slash at its end) for a title; without the extension it is free as well. */
  return (folder: string, title: string, extension: string): string => {
    const stem = Buffer.byteLength(folder) > deepestPath ? 'p' : safeStem(title)
    let name = stem
    for (let number = 2; isTaken(folder + name, extension); number++) name = `${stem} (${number})`
    taken.add(fold(folder + name))
    taken.add(fold(folder + name + extension))
    return folder + name + extension
  }

  function isTaken(path: string, extension: string): boolean {
    return taken.has(fold(path)) || taken.has(fold(path + extension))
  }
}

/** A title as the name of a file: nothing that a system refuses, gives a meaning to, or hides. */
export function safeStem(title: string): string {
  const plain = title
    .normalize('NFC')
    .replace(/[\p{Cc}\p{Cf}\p{Cs}\p{Zl}\p{Zp}<>:"/\\|?*#^[\]]/gu, '-')
    .replace(/\s+/g, ' ')
  const short = [...plain]
    .slice(0, longest)
    .join('')
    .replace(/[. ]+$/, '')
    .replace(/^[. ]+/, '')
  const unreserved = /^(con|prn|aux|nul|com\d|lpt\d)$/i.test(short) || isHidden(short) ? `_${short}` : short
  return unreserved || 'Untitled'
}

const fold = (path: string) => path.normalize('NFC').toLowerCase()
