import { createHash } from 'node:crypto'
import { cleanText } from '../text/clean.ts'

/** UTF-8 bytes that a path may have: an index row of Postgres holds 2,704. */
const maxPathLength = 2000

const maxNameLength = 200

const leftByMachines = new Set(['thumbs.db', 'desktop.ini', 'icon\r', '__macosx'])

export type CheckedPath = { path: string; problem: string | null; hidden: boolean; tooLong: boolean }

/**
 * A path as an importer may use it: relative, parted by slashes, without `.` segments, fit to be stored. `hidden` is
 * set for what no import brings in (a dot file or anything in a dot folder, and what operating systems leave behind);
 * `problem` says why a path cannot be used at all, `tooLong` that it is nothing but that. It names things and is never opened.
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

/** A path as it is named where it cannot be used: short, and still its own. */
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
