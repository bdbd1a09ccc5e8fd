import { cleanLine } from '../text/clean.ts'

const maxTitleLength = 500

/** `a/b/c.md` → `c.md`. */
export const baseName = (path: string): string => path.slice(path.lastIndexOf('/') + 1)

/** `a/b/c.md` → `a/b/`; the folder of a folder likewise; empty at the top. */
export function folderOf(path: string): string {
  const end = path.endsWith('/') ? path.length - 2 : path.length
  return path.slice(0, path.lastIndexOf('/', end) + 1)
}

/** The extension in lower case with its dot; empty when there is none. */
export function extensionOf(path: string): string {
  const name = baseName(path)
  const dot = name.lastIndexOf('.')
  return dot > 0 ? name.slice(dot).toLowerCase() : ''
}

/** A file's name without its extension, a folder's whole name. */
export function stemOf(path: string): string {
  if (path.endsWith('/')) return baseName(path.slice(0, -1))
  const name = baseName(path)
  return name.slice(0, name.length - extensionOf(path).length)
}

/** Any text as a title: one line, not empty, at most 500 characters, cut where a character ends. */
export function asTitle(text: string): string {
  const title = cleanLine(text) || 'Untitled'
  if (title.length <= maxTitleLength) return title
  return `${title
    .slice(0, maxTitleLength - 1)
    .replace(/[\uD800-\uDBFF]$/, '')
    .trimEnd()}…`
}
