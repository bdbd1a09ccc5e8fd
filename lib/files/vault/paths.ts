import { createHash } from 'node:crypto'
import { cleanLine, cleanText } from '../../core/text/clean.ts'

/** Maximum UTF-8 bytes of a path: an index row of Postgres holds 2,704. */
const maxPathLength = 2000

const maxNameLength = 200

const leftByMachines = new Set(['thumbs.db', 'desktop.ini', 'icon\r', '__macosx'])

export type CheckedPath = { path: string; problem: string | null; hidden: boolean; tooLong: boolean }

/**
 * A normalized import path: relative, separated by slashes, without `.` segments, storable. `hidden` is set for files
 * that no import includes (a dot file or anything in a dot folder, and operating systems' leftovers); `problem` is the
 * reason why a path cannot be used at all, `tooLong` that its length is the only problem. It is an identifier and is
 * never opened.
 */
export function checkPath(given: string): CheckedPath {
  const segments = cleanText(given)
    .split('/')
    .filter((segment) => segment !== '' && segment !== '.')
  const path = segments.join('/')
  const hidden = segments.some(isHidden)

  const leadsOut = leadsOutOf(given, path, segments)
  const tooLong = leadsOut === null && Buffer.byteLength(path) > maxPathLength
  const problem = tooLong ? `its path is longer than ${maxPathLength} bytes` : leadsOut
  return { path, hidden: hidden && !segments.includes('..'), problem, tooLong }
}

/** The display name of an unusable path: short, and still unique. */
export function nameOfUnusablePath(path: string): string {
  if (path.length <= maxNameLength) return path
  const digest = createHash('sha256').update(path).digest('hex').slice(0, 8)
  return `${path.slice(0, maxNameLength).toWellFormed()}… (${digest})`
}

export const isHidden = (name: string): boolean =>
  name.startsWith('.') || leftByMachines.has(name.toLowerCase())

function leadsOutOf(given: string, path: string, segments: string[]): string | null {
  if (path === '') return 'its path is empty'
  if (given.startsWith('/') || segments.includes('..')) return 'its path points outside the folder'
  return null
}

/** Names of devices on Windows, whatever extension follows. */
const device = /^(?:con|prn|aux|nul|com[0-9¹²³]|lpt[0-9¹²³]|conin\$|conout\$)(?=[. ]*(?:\.|$))/i

/**
 * A name that no system rejects, or reads as something else: without the signs that part paths, streams and patterns,
 * without dots and spaces at its end, and not that of a device. May be empty.
 */
export function safeName(name: string): string {
  const safe = name.replace(/[\p{Cc}\p{Cf}\p{Cs}\p{Zl}\p{Zp}<>:"/\\|?*]/gu, '-').replace(/[. ]+$/, '')
  return device.test(safe) ? `_${safe}` : safe
}

const maxTitleLength = 500

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

/** Any text as a title: one line, not empty, at most 500 characters, cut at a character boundary. */
export function asTitle(text: string): string {
  const title = cleanLine(text) || 'Untitled'
  if (title.length <= maxTitleLength) return title
  return `${title
    .slice(0, maxTitleLength - 1)
    .replace(/[\uD800-\uDBFF]$/, '')
    .trimEnd()}…`
}

/**
 * Finds free names: the first of `stem`, `stem (2)`, `stem (3)` … that is not taken. Continues from a key's last number
 * (the key being the folder, the stem and the extension), so that each of many similar names takes the same time.
 */
export function createNumberedNames() {
  const last = new Map<string, number>()

  return (key: string, stem: string, isTaken: (name: string) => boolean): string => {
    let number = last.get(key) ?? 1
    let name = number === 1 ? stem : `${stem} (${number})`
    while (isTaken(name)) name = `${stem} (${++number})`
    last.set(key, number)
    return name
  }
}

const collator = new Intl.Collator('en', { numeric: true, sensitivity: 'variant' })

const descriptions = ['index', 'readme']

/**
 * Rank of a file as the description of its folder: 0 for `Notes/Notes.md`, 1 for `index.md`, 2 for `README.md`; `null`
 * for any other file and for every file at the top.
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

/** Orders the names in a folder: its description first, then natural order (`2` before `10`). */
export function compareNames(folder: string): (a: string, b: string) => number {
  const rank = (name: string) => rankAsFolderNote(folder + name) ?? descriptions.length + 1
  return (a, b) => rank(a) - rank(b) || collator.compare(a, b) || (a < b ? -1 : 1)
}

const fold = (name: string) => name.normalize('NFC').toLowerCase()

/** The folder that `Notes.md` may describe from outside: `Notes/`. */
export const folderBeside = (path: string): string => `${path.replace(/\.[^./]+$/, '')}/`

/** The files that may describe `Notes/` from outside: `Notes.md`, or another file that becomes a page. */
export const notesBeside = (folder: string): string[] =>
  ['.md', '.html', '.csv'].map((extension) => folder.slice(0, -1) + extension)

/** Thrown for a file that cannot be imported; the message is the reason, as the rest of a sentence about it. */
export class SkippedFile extends Error {}

/** Maximum bytes of a file that is read at once. */
export const maxFileBytes = 50 * 1024 * 1024

/** Maximum bytes of an archive or a mailbox, which is streamed. */
export const maxContainerBytes = 20 * 1024 * 1024 * 1024

const megabyte = 1024 * 1024

/** The reason why a file of this size is skipped. */
export const tooLarge = (size: number): string =>
  `it has ${Math.ceil((size / megabyte) * 10) / 10} MB; the limit is ${maxFileBytes / megabyte} MB`
