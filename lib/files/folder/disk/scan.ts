// Looks at every name in a folder, without reading a file. What cannot be listed is said to be so: it is not absent.

import { hash } from 'node:crypto'
import { isNotePath, problemOfPath } from '../../../core/text/paths.ts'
import { type IgnoreRules, noteOfCopy } from '../plan/ignore-rules.ts'
import { findTraces } from './agent-traces.ts'
import { codeOf, type Disk, type FileStat, fingerprintOf } from './disk.ts'

export type Held = { path: string; reason: string }

export type Scan = {
  /** Notes, by path. */
  files: Map<string, FileStat>
  /** Folders that were listed, as `''` and `a/b/`: what they do not hold is not there. */
  listed: Set<string>
  /** Notes that cannot be kept in step, and folders that cannot be looked into. */
  held: Held[]
  /** Copies that other programs made of a conflict, by path. */
  copies: Map<string, FileStat>
  /** What coding agents left, as paths. */
  traces: string[]
}

/** Beyond these, folders are as if they could not be listed. */
const maxDepth = 100
const maxNames = 500_000
/** After so many no more are looked for. */
const maxTraces = 200

/** Rejects if the folder itself cannot be listed. */
export async function scanFolder(disk: Disk, rules: IgnoreRules): Promise<Scan> {
  const scan: Scan = { files: new Map(), listed: new Set(), held: [], copies: new Map(), traces: [] }
  const root = await disk.stat('')
  if (root?.kind !== 'folder') throw Object.assign(new Error('no folder'), { code: 'ENOTDIR' })
  const open = ['']
  let count = 0
  for (let folder = open.pop(); folder !== undefined; folder = open.pop()) {
    const names = await listNames(disk, folder, scan)
    if (names === null) continue
    count += names.length
    if (count > maxNames) {
      scan.held.push({ path: folder, reason: 'too many files' })
      continue
    }
    if (scan.traces.length < maxTraces) scan.traces.push(...(await findTraces(disk, folder, names)))
    const whole = await Promise.all(
      names.map((name) => lookAt(disk, `${folder}${name}`, rules, root.dev, scan)),
    )
    if (whole.every((found) => found !== 'unknown')) scan.listed.add(folder)
    const inside = whole.filter((found): found is string => found !== null && found !== 'unknown')
    if (folder.split('/').length <= maxDepth) open.push(...inside)
  }
  return scan
}

/** The same for the same names and states, in whatever order they were found. */
export function digestScan({ files, listed, held }: Scan): string {
  const lines = [
    ...[...files].map(([path, stat]) => `${path}\0${fingerprintOf(stat)}`),
    ...listed,
    ...held.map(({ path, reason }) => `${path}\0${reason}`),
  ]
  return hash('sha256', lines.toSorted().join('\n'))
}

async function listNames(disk: Disk, folder: string, scan: Scan): Promise<string[] | null> {
  try {
    const names = await disk.list(folder === '' ? '' : folder.slice(0, -1))
    if (names.includes(null)) scan.held.push({ path: folder, reason: 'holds a name that is not UTF-8' })
    return names.filter((name) => name !== null)
  } catch (error) {
    if (folder === '') throw error
    scan.held.push({ path: folder, reason: `cannot be listed (${codeOf(error) || 'unknown error'})` })
    return null
  }
}

/** The folder that it is; null for anything else. `unknown`: that could not be found out. */
async function lookAt(
  disk: Disk,
  path: string,
  rules: IgnoreRules,
  dev: bigint,
  scan: Scan,
): Promise<string | null | 'unknown'> {
  // Names that are never followed cost no look.
  const ignoresFile = rules.ignores(path, false)
  if (ignoresFile && rules.ignores(path, true)) return null
  const hold = (reason: string) => {
    scan.held.push({ path, reason })
    return null
  }
  let stat: FileStat | null
  try {
    stat = await disk.stat(path)
  } catch (error) {
    hold(`cannot be read (${codeOf(error) || 'unknown error'})`)
    return 'unknown'
  }
  if (stat === null || (stat.kind === 'folder' ? rules.ignores(path, true) : ignoresFile)) return null
  if (stat.kind === 'folder') {
    if (stat.dev !== dev) return hold('lies on another disk')
    return `${path}/`
  }
  const note = noteOfCopy(path)
  if (!isNotePath(note ?? path)) return null
  if (note !== null) {
    if (stat.kind === 'file' && !stat.isPlaceholder) scan.copies.set(path, stat)
    return null
  }
  if (stat.kind !== 'file') return hold(stat.kind === 'link' ? 'is a link' : 'is not a regular file')
  const problem = problemOfPath(path)
  if (problem !== null) return hold(`its path ${problem}`)
  if (stat.isPlaceholder) return hold('is kept in the cloud only')
  scan.files.set(path, stat)
  return null
}
