// Exclusive ownership of a data folder. Two processes on one PGlite store corrupt it, so before it is opened an
// exclusive lock is taken that the kernel itself lets go of when the process dies, however it dies. Node has no
// flock, but it has SQLite, whose exclusive transaction is exactly such a lock on every platform.

import { chmodSync, closeSync, lstatSync, openSync, readdirSync, statSync } from 'node:fs'
import { join, resolve, sep } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { fileURLToPath } from 'node:url'
import { AppError } from '../core/errors.ts'
import { makeFolder } from '../core/make-folder.ts'
import { remedyFor, systemReason } from '../core/system-error.ts'

/** `corrected`: other accounts could look into it before. */
export type DataFolder = { path: string; store: string; corrected: boolean; release(): void }

/**
 * Makes the folder if need be, closes it to other accounts (modes 700 and 600, also for what this process makes from now
 * on), and locks it until `release` or the end of the process. A command on a Postgres may share it with the server that
 * runs there (`exclusive: false`): nothing is locked then.
 * Throws `AppError` `data_folder_in_use` when another process has it, `data_folder_foreign` when another account has,
 * `data_folder` when it cannot be used.
 */
export function claimDataFolder(folder: string, { exclusive = true } = {}): DataFolder {
  const path = resolve(folder)
  process.umask(0o077)
  refuseOwnProgram(path)
  try {
    createDataFolder(path)
    const corrected = closeToOthers(path)
    const release = exclusive ? lock(path) : () => {}
    return { path, store: join(path, 'store'), corrected, release }
  } catch (error) {
    const reason = systemReason(error)
    if (reason === null) throw error
    throw unusable(`The data folder ${path} cannot be written: ${reason}. ${remedyFor(error)}`, error)
  }
}

/** Closing a folder to other accounts closes all that is in it. */
function refuseOwnProgram(path: string): void {
  const program = fileURLToPath(import.meta.url)
  const inside = path.endsWith(sep) ? path : path + sep
  if (program.startsWith(inside)) throw new AppError('data_folder', 500, ownProgram(path))
}

const ownProgram = (path: string) =>
  `The data folder ${path} holds Void itself and perhaps other things, which would be closed to other accounts. Set DATA_DIR to a folder of its own.`

function createDataFolder(path: string): void {
  try {
    makeFolder(path, 0o700)
  } catch (error) {
    const reason = systemReason(error)
    if (reason === null) throw error
    const isTaken = Reflect.get(Object(error), 'code') === 'EEXIST'
    const problem = isTaken
      ? `The data folder ${path} is a file. Move it away`
      : `The data folder ${path} cannot be created: ${reason}. Create it for the account that Void runs as`
    throw unusable(problem, error)
  }
}

const unusable = (problem: string, cause: unknown) =>
  new AppError('data_folder', 500, `${problem}, or set another folder with DATA_DIR.`, { cause })

/** Whether it was open to others. Of a closed folder the version of its store says whether the files are closed, too. */
function closeToOthers(path: string): boolean {
  const { uid, mode } = statSync(path)
  const own = process.getuid?.()
  if (own === undefined) return false
  if (uid !== own)
    throw new AppError(
      'data_folder_foreign',
      500,
      `The data folder ${path} belongs to another account (user id ${uid}; this is ${own}). Start Void as that account, give the folder to this one (chown -R ${own} ${path}), or set another folder with DATA_DIR.`,
    )
  const version = statSync(join(path, 'store', 'PG_VERSION'), { throwIfNoEntry: false })
  if (((mode | (version?.mode ?? 0)) & 0o077) === 0) return false
  chmodSync(path, 0o700)
  for (const entry of readdirSync(path, { recursive: true, withFileTypes: true })) {
    const file = join(entry.parentPath, entry.name)
    if (!entry.isSymbolicLink()) chmodSync(file, lstatSync(file).mode & 0o700)
  }
  return true
}

/** https://www.sqlite.org/rescode.html#busy */
const isBusy = (error: unknown) => error instanceof Error && Reflect.get(error, 'errcode') === 5

function damagedLock(file: string, cause: unknown): AppError {
  const reason = cause instanceof Error ? cause.message : String(cause)
  const message = `The lock ${file} cannot be used: ${reason}. If no Void runs on this folder, remove it.`
  return new AppError('data_folder', 500, message, { cause })
}

/** A file that nothing refers to is collected, and lets go of its lock with that. */
const held = new Set<DatabaseSync>()

/** SQLite does not say why a file cannot be opened. */
function openLock(file: string): void {
  try {
    closeSync(openSync(file, 'a', 0o600))
  } catch (error) {
    if (Reflect.get(Object(error), 'code') === 'EISDIR') throw damagedLock(file, error)
    throw error
  }
}

function lock(path: string): () => void {
  const lockFile = join(path, 'lock')
  openLock(lockFile)
  const file = new DatabaseSync(lockFile)

  try {
    file.exec('pragma locking_mode = exclusive; begin exclusive')
    chmodSync(lockFile, 0o600)
  } catch (cause) {
    file.close()
    if (!isBusy(cause)) throw damagedLock(lockFile, cause)
    throw new AppError(
      'data_folder_in_use',
      500,
      `Another Void is already running on the data folder ${path}. Stop it first, or set another folder with DATA_DIR.`,
      { cause },
    )
  }

  held.add(file)
  return () => {
    held.delete(file)
    file.close()
  }
}
