import { createHash } from 'node:crypto'
import { cleanLine, cleanText } from '../../core/text/clean.ts'
import { dendronFile } from '../../core/text/links/label-first.ts'
import {
  byteLength,
  cutBytes,
  extensionOf,
  isHidden,
  isNotePath,
  problemOfPath,
  rankAsFolderNote,
} from '../../core/text/paths.ts'

/** Maximum UTF-8 bytes of a path: an index row of Postgres holds 2,704. */
const maxPathLength = 2000

const maxNameLength = 200

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

function leadsOutOf(given: string, path: string, segments: string[]): string | null {
  if (path === '') return 'its path is empty'
  if (given.startsWith('/') || segments.includes('..')) return 'its path points outside the folder'
  return null
}

/** Maximum UTF-8 bytes of a name: what file systems allow. */
const maxNameBytes = 255

/** The path that a file gets in a Space: as it is, but for what some system reads as something else or cannot hold. */
export function placeable(path: string): string {
  if (problemOfPath(path) === null) return path
  const isFolder = path.endsWith('/')
  const segments = path.split('/').filter((segment) => segment !== '')
  return segments.map(placeableName).join('/') + (isFolder ? '/' : '')
}

function placeableName(name: string): string {
  const plain = name.replace(/[\p{Cc}\p{Zl}\p{Zp}]/gu, '-')
  const safe = isHidden(plain) || problemOfPath(plain)?.includes('device') ? `_${plain}` : plain
  if (byteLength(safe) <= maxNameBytes) return safe
  const extension = extensionOf(safe).length <= 20 ? safe.slice(safe.length - extensionOf(safe).length) : ''
  return cutBytes(safe, maxNameBytes - byteLength(extension) - 1) + extension
}

const maxTitleLength = 500

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

/** What an export says of its files, at its top. */
export const manifestName = 'void.json'

/**
 * Orders the names in a folder: what says how the others are read, an export's manifest and Dendron's file, and the
 * folder's description first, then natural order (`2` before `10`). A note goes before a file that becomes one of the same
 * name.
 */
export function compareNames(folder: string): (a: string, b: string) => number {
  const rank = (name: string) =>
    name === manifestName || name === dendronFile ? -1 : (rankAsFolderNote(folder + name) ?? 3)
  return (a, b) =>
    rank(a) - rank(b) ||
    collator.compare(withoutExtension(a), withoutExtension(b)) ||
    Number(isNotePath(b)) - Number(isNotePath(a)) ||
    collator.compare(a, b) ||
    (a < b ? -1 : 1)
}

const withoutExtension = (name: string) => name.slice(0, name.length - extensionOf(name).length)

/** Of files that become pages, as they are written. */
const pageExtensions = ['.md', '.MD', '.Md', '.markdown', '.html', '.HTML', '.htm', '.HTM', '.csv', '.CSV']

/** The folder that `Notes.md` may describe from outside: `Notes/`; empty for a file that describes none. */
export function folderBeside(path: string): string {
  const extension = pageExtensions.find((each) => path.endsWith(each))
  return extension === undefined ? '' : `${path.slice(0, -extension.length)}/`
}

/** The files that may describe `Notes/` from outside: `Notes.md`, or another file that becomes a page. */
export const notesBeside = (folder: string): string[] =>
  pageExtensions.map((extension) => folder.slice(0, -1) + extension)

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
