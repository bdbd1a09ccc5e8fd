// Paths of files inside a Space: relative to its root, separated by slashes. Pure, shared with the browser.

/** Notes: their extension may be left out of a link. */
const noteExtension = /\.(?:md|markdown|mdown)$/i

export const isNotePath = (path: string): boolean => noteExtension.test(path)

export const withoutNoteExtension = (path: string): string => path.replace(noteExtension, '')

/** `a/b/c.md` → `c.md`. */
export const baseName = (path: string): string => path.slice(path.lastIndexOf('/') + 1)

/** `a/b/c.md` → `a/b/`; likewise for a folder's parent; empty at the top. */
export function folderOf(path: string): string {
  const end = path.endsWith('/') ? path.length - 2 : path.length
  return path.slice(0, path.lastIndexOf('/', end) + 1)
}

/** The extension in lower case with its dot; empty if there is none. */
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

/** NFC and lower case: two names that fold to the same are one. */
export const foldName = (name: string): string => name.normalize('NFC').toLowerCase()

const maxKey = 800

/** The form in which paths are unique in a Space. An index row of Postgres holds 2,704 bytes. */
export function pathKey(path: string): string {
  const key = foldName(path).toWellFormed()
  if (key.length <= maxKey) return key
  return `${key.slice(0, 500)}…${key.slice(501 - maxKey)}`.toWellFormed()
}

/** A path without `.` and `..`, from a folder; `null` if it leads out of the Space. A slash at its end stays. */
export function joinPath(folder: string, path: string): string | null {
  const segments: string[] = []
  for (const segment of `${folder}${path}`.split('/')) {
    if (segment === '' || segment === '.') continue
    if (segment !== '..') segments.push(segment)
    else if (segments.pop() === undefined) return null
  }
  const isFolder = /(?:^|\/)(?:\.{0,2})$/.test(path) && segments.length > 0
  return segments.join('/') + (isFolder ? '/' : '')
}

/** The path that leads from a folder to a file: `../b/c.md`. */
export function relativePath(folder: string, path: string): string {
  const from = folder.split('/').slice(0, -1)
  const to = path.split('/')
  const common = commonFolders(from, to.slice(0, -1))
  return [...from.slice(common).map(() => '..'), ...to.slice(common)].join('/')
}

/** Steps between two folders, up and down. */
export function folderDistance(one: string, other: string): number {
  const [from, to] = [one, other].map((folder) => foldName(folder).split('/').slice(0, -1)) as [
    string[],
    string[],
  ]
  return from.length + to.length - 2 * commonFolders(from, to)
}

function commonFolders(one: readonly string[], other: readonly string[]): number {
  let count = 0
  while (count < one.length && count < other.length && one[count] === other[count]) count++
  return count
}

const descriptions = ['index', 'readme']

/**
 * Rank of a file as the description of its folder: 0 for `Notes/Notes.md`, 1 for `index.md`, 2 for `README.md`; `null`
 * for any other file and for every file at the top.
 */
export function rankAsFolderNote(path: string): number | null {
  const segments = path.split('/')
  const folder = segments.at(-2)
  if (folder === undefined || path.endsWith('/')) return null

  const stem = foldName(stemOf(path))
  if (stem === foldName(folder)) return 0
  const rank = descriptions.indexOf(stem)
  return rank < 0 ? null : rank + 1
}

/** Where the pages below a page lie: `a/b/` for `a/b.md`, and for `a/b/index.md`, which describes that folder. */
export function folderBelow(path: string): string {
  if (path.endsWith('/')) return path
  return rankAsFolderNote(path) === null ? `${withoutNoteExtension(path)}/` : folderOf(path)
}

/** Names of devices on Windows, whatever extension follows. */
const device = /^(?:con|prn|aux|nul|com[0-9¹²³]|lpt[0-9¹²³]|conin\$|conout\$)(?=[. ]*(?:\.|$))/i

/**
 * A name that no system rejects, or reads as something else: without the signs that part paths, streams and patterns,
 * without dots and spaces at its end, and not that of a device. May be empty.
 */
export function safeName(name: string): string {
  const plain = name.replace(/[\p{Cc}\p{Cf}\p{Cs}\p{Zl}\p{Zp}<>:"/\\|?*]/gu, '-')
  let end = plain.length
  while (plain[end - 1] === '.' || plain[end - 1] === ' ') end--
  const safe = plain.slice(0, end)
  return device.test(safe) ? `_${safe}` : safe
}

const leftByMachines = new Set(['thumbs.db', 'desktop.ini', 'icon\r', '__macosx'])

export const isHidden = (name: string): boolean =>
  name.startsWith('.') || leftByMachines.has(name.toLowerCase())

const vaultSettings =
  /(?:^|\/)\.obsidian\/(?:app|appearance|core-plugins|workspace|daily-notes|templates)\.json$/

/** True for settings of a vault's app, which are handed to an import though they are hidden. */
export const isVaultSettings = (path: string): boolean => vaultSettings.test(path)

/** File systems allow 255 bytes for a name, with its extension and a number. */
const maxStemBytes = 200

/** Title of what nobody has named yet. */
export const untitled = 'Untitled'

/** A title as the name of a file without its extension: safe, and free of what means something in a link. */
export function titleAsStem(title: string): string {
  const plain = title
    .slice(0, 1000)
    .normalize('NFC')
    .replace(/[#^[\]]/g, '-')
    .replace(/\s+/g, ' ')
    .replace(/^[. ]+/, '')
  const stem = safeName(cutBytes(plain, maxStemBytes))
  return (isHidden(stem) ? `_${stem}` : stem) || untitled
}

/** Cut at a character boundary. */
export function cutBytes(text: string, maxBytes: number): string {
  let short = ''
  let bytes = 0
  for (const character of text) {
    bytes += byteLength(character)
    if (bytes > maxBytes) break
    short += character
  }
  return short.toWellFormed()
}

const encoder = new TextEncoder()

export const byteLength = (text: string): number => encoder.encode(text).length

const maxPathBytes = 2000
const maxNameBytes = 255

/** Why a path cannot be given to a page or a file, as the rest of a sentence about it; `null` if it can. */
export function problemOfPath(path: string): string | null {
  const segments = path.replace(/\/$/, '').split('/')
  if (path === '' || path === '/') return 'is empty'
  if (path.includes('\0')) return 'contains a NUL character'
  if (/[\p{Cc}\p{Zl}\p{Zp}]/u.test(path)) return 'contains a control character'
  if (path.startsWith('/')) return 'starts with a slash; it is relative to the Space'
  if (segments.some((segment) => segment === '..' || segment === '.'))
    return 'contains “.” or “..”, which would lead out of its folder'
  if (segments.includes('')) return 'contains an empty folder name'
  const long = segments.find((segment) => byteLength(segment) > maxNameBytes)
  if (long !== undefined) return `contains a name of ${byteLength(long)} bytes; the limit is ${maxNameBytes}`
  if (byteLength(path) > maxPathBytes) return `has ${byteLength(path)} bytes; the limit is ${maxPathBytes}`
  const named = segments.find((segment) => device.test(segment))
  if (named !== undefined) return `contains “${named}”, the name of a device on Windows`
  const hidden = segments.find(isHidden)
  return hidden === undefined ? null : `contains “${hidden}”, the name of a hidden file`
}
