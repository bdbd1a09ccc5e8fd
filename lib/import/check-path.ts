import { cleanText } from '../text/clean.ts'

/** UTF-8 bytes that a path may have: an index row of Postgres holds 2,704. */
export const longestPath = 2000

const leftByMachines = new Set(['thumbs.db', 'desktop.ini', 'icon\r', '__macosx'])

export type CheckedPath = { path: string; problem: string | null; hidden: boolean }

/**
 * A path as an importer may use it: relative, parted by slashes, without `.` segments, fit to be stored. `hidden` is
 * set for what no import brings in (a dot file or anything in a dot folder, and what operating systems leave behind);
 * `problem` says why a path cannot be used at all. It names things and is never opened.
 */
export function checkPath(given: string): CheckedPath {
  const segments = cleanText(given)
    .split('/')
    .filter((segment) => segment !== '' && segment !== '.')
  const path = segments.join('/')
  const hidden = segments.some(isHidden)

  return { path, hidden: hidden && !segments.includes('..'), problem: problemOf(given, path, segments) }
}

export const isHidden = (name: string): boolean =>
  name.startsWith('.') || leftByMachines.has(name.toLowerCase())

function problemOf(given: string, path: string, segments: string[]): string | null {
  if (path === '') return 'its path is empty'
  if (given.startsWith('/') || segments.includes('..')) return 'its path leads out of the folder'
  if (Buffer.byteLength(path) > longestPath) return `its path is longer than ${longestPath} bytes`
  return null
}
