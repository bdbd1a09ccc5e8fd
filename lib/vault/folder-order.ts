import { stemOf } from './file-name.ts'

const collator = new Intl.Collator('en', { numeric: true, sensitivity: 'variant' })
const descriptions = ['index', 'readme']

/**
 * Whether a file describes the folder it lies in, and how well: 0 for `Notes/Notes.md`, 1 for `index.md`, 2 for
 * `README.md`; `null` for any other file and for every file at the top.
 */
export function rankAsFolderNote(path: string): number | null {
  const segments = path.split('/')
  const folder = segments.at(-2)
  if (folder === undefined) return null

  const stem = fold(stemOf(path))
  if (stem === fold(folder)) return 0
  const rank = descriptions.indexOf(stem)
  return rank < 0 ? null : rank + 1
}

/** Orders the names in a folder: what describes the folder first, then as a person would (`2` before `10`). */
export function compareNames(folder: string): (a: string, b: string) => number {
  const rank = (name: string) => rankAsFolderNote(folder + name) ?? descriptions.length + 1
  return (a, b) => rank(a) - rank(b) || collator.compare(a, b) || (a < b ? -1 : 1)
}

const fold = (name: string) => name.normalize('NFC').toLowerCase()

/** The folder that `Notes.md` may describe from outside: `Notes/`. */
export const folderBeside = (path: string): string => `${path.replace(/\.[^./]+$/, '')}/`

/** The files that may describe `Notes/` from outside: `Notes.md`, or what else becomes a page. */
export const notesBeside = (folder: string): string[] =>
  ['.md', '.html', '.csv'].map((extension) => folder.slice(0, -1) + extension)
