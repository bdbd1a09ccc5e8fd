// Errors of the operating system as sentences.

import { readFileSync } from 'node:fs'
import { getSystemErrorMessage } from 'node:util'
import { AppError } from './errors.ts'

/**
 * The reason of an operating system error, such as `permission denied (EACCES)`; of several, each once. `null` for any
 * other error.
 */
export function systemReason(error: unknown): string | null {
  if (error instanceof AggregateError) return reasonsOf(error.errors)
  if (!(error instanceof Error)) return null
  const code: unknown = Reflect.get(error, 'code')
  const errno: unknown = Reflect.get(error, 'errno')
  if (typeof code !== 'string' || !/^E[A-Z0-9_]+$/.test(code) || typeof errno !== 'number') return null
  // Of the resolver of names, which has numbers of its own.
  if (code === 'ENOTFOUND') return `the name cannot be resolved (${code})`
  return `${getSystemErrorMessage(errno)} (${code})`
}

function reasonsOf(errors: readonly unknown[]): string | null {
  const reasons = new Set(errors.map(systemReason).filter((reason) => reason !== null))
  return reasons.size > 0 ? [...reasons].join(', ') : null
}

/** What to do about a file or folder that cannot be used, as the beginning of a sentence. */
export function remedyFor(error: unknown): string {
  const account = process.getuid ? ` (user id ${process.getuid()})` : ''
  const remedies: Record<string, string> = {
    EACCES: `Give it to the account that Void runs as${account}`,
    EPERM: `Give it to the account that Void runs as${account}`,
    ENOENT: 'Create it',
    EISDIR: 'Put a file in its place',
    ENOTDIR: 'Move away the file that is in its place',
    EROFS: 'Make its volume writable',
    EMFILE: 'Raise the limit of open files (ulimit -n)',
  }
  const code = error instanceof Error ? String(Reflect.get(error, 'code')) : ''
  return remedies[code] ?? 'Repair it'
}

/** `setting`: the variable that names it. */
type OwnFile = { what: string; path: string; setting?: string }

/** Reads a text file of Void's own. Throws `AppError` `unreadable_file`. */
export function readOwnFile({ what, path, setting }: OwnFile): string {
  try {
    return readFileSync(path, 'utf8')
  } catch (cause) {
    const reason = systemReason(cause)
    if (reason === null) throw cause
    const other = setting ? `, or set ${setting} to another file` : ''
    const message = `${what} ${path} cannot be read: ${reason}. ${remedyFor(cause)}${other}.`
    throw new AppError('unreadable_file', 500, message, { cause })
  }
}
