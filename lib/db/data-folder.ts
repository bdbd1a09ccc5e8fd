// Exclusive ownership of a data folder. Two processes on one PGlite store corrupt it, so before it is opened an
// exclusive lock is taken that the kernel itself lets go of when the process dies, however it dies. Node has no
// flock, but it has SQLite, whose exclusive transaction is exactly such a lock on every platform.

import { chmodSync, lstatSync, mkdirSync, readdirSync, statSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { AppError } from '../core/errors.ts'

/** `corrected`: other accounts could look into it before. */
export type DataFolder = { path: string; store: string; corrected: boolean; release(): void }

/**
 * Makes the folder if need be, closes it to other accounts (modes 700 and 600, also for what this process makes from now
 * on), and locks it until `release` or the end of the process. A folder that holds
 * no embedded store may be shared (`exclusive: false`): nothing is locked then.
 * Throws `AppError` `data_folder_in_use` when another process has it, `data_folder_foreign` when another account has.
 */
export function claimDataFolder(folder: string, { exclusive = true } = {}): DataFolder {
  const path = resolve(folder)
  process.umask(0o077)
  mkdirSync(path, { recursive: true, mode: 0o700 })
  const corrected = closeToOthers(path)
  const release = exclusive ? lock(path) : () => {}
  return { path, store: join(path, 'store'), corrected, release }
}

/** Whether it was open to others. What is in a closed folder is out of their reach, whatever its own mode. */
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
  if ((mode & 0o077) === 0) return false
  chmodSync(path, 0o700)
  for (const entry of readdirSync(path, { recursive: true, withFileTypes: true })) {
    const file = join(entry.parentPath, entry.name)
    if (!entry.isSymbolicLink()) chmodSync(file, lstatSync(file).mode & 0o700)
  }
  return true
}

/** A file that nothing refers to is collected, and lets go of its lock with that. */
const held = new Set<DatabaseSync>()

function lock(path: string): () => void {
  const lockFile = join(path, 'lock')
  const file = new DatabaseSync(lockFile)

  try {
    file.exec('pragma locking_mode = exclusive; begin exclusive')
    chmodSync(lockFile, 0o600)
  } catch (cause) {
    file.close()
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
