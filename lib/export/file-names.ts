import { isHidden } from '../vault/check-path.ts'
import { createNumberedNames } from '../vault/numbered-names.ts'

/** Characters of a name, and bytes: file systems hold 255, of which an extension and a number take some. */
const maxCharacters = 80
const maxStemBytes = 220
const maxExtensionBytes = 20
/** Bytes of a folder's path beyond which names are numbers: paths have an end on every disk. */
const deepestPath = 1200

export type FileNames = ReturnType<typeof createFileNames>

/** Gives files names that every system can hold, no two in a folder alike, whatever their case. */
export function createFileNames(reserved: readonly string[] = []) {
  const taken = new Set(reserved.map((name) => fold(name)))
  const nextName = createNumberedNames()

  /** A path in `folder` (empty, or with a slash at its end) for a title; without the extension it is free as well. */
  return (folder: string, title: string, given: string): string => {
    const extension = Buffer.byteLength(given) > maxExtensionBytes ? '' : given
    const stem = Buffer.byteLength(folder) > deepestPath ? 'p' : safeStem(title)
    const name = nextName(folder + stem + extension, stem, (name) => isTaken(folder + name, extension))
    taken.add(fold(folder + name))
    taken.add(fold(folder + name + extension))
    return folder + name + extension
  }

  function isTaken(path: string, extension: string): boolean {
    return taken.has(fold(path)) || taken.has(fold(path + extension))
  }
}

/** A title as the name of a file: nothing that a system refuses, gives a meaning to, or hides. */
function safeStem(title: string): string {
  const plain = title
    .normalize('NFC')
    .replace(/[\p{Cc}\p{Cf}\p{Cs}\p{Zl}\p{Zp}<>:"/\\|?*#^[\]]/gu, '-')
    .replace(/\s+/g, ' ')
  const short = cutName(plain)
    .replace(/[. ]+$/, '')
    .replace(/^[. ]+/, '')
  const unreserved = /^(con|prn|aux|nul|com\d|lpt\d)$/i.test(short) || isHidden(short) ? `_${short}` : short
  return unreserved || 'Untitled'
}

/** A name that fits on every disk, cut where a character ends. */
export function cutName(text: string): string {
  let short = ''
  let bytes = 0
  for (const character of [...text.slice(0, 2 * maxCharacters)].slice(0, maxCharacters)) {
    bytes += Buffer.byteLength(character)
    if (bytes > maxStemBytes) break
    short += character
  }
  return short.toWellFormed()
}

const fold = (path: string) => path.normalize('NFC').toLowerCase()
