// Exclusive ownership of a data folder. Two processes on one PGlite store corrupt it, so before it is opened an
// exclusive lock is taken that the kernel itself lets go of when the process dies, however it dies. Node has no
// flock, but it has SQLite, whose exclusive transaction is exactly such a lock on every platform.

import { chmodSync, mkdirSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { AppError } from '../core/errors.ts'

export type DataFolder = { path: string; store: string; release(): void }

/**
 * Makes the folder (mode 700) if need be and locks it until `release` or the end of the process. A folder that holds
 * no embedded store may be shared (`exclusive: false`): nothing is locked then.
 * Throws `AppError` `data_folder_in_use` when another process has it.
 */
export function claimDataFolder(folder: string, { exclusive = true } = {}): DataFolder {
  const path = resolve(folder)
  mkdirSync(path, { recursive: true, mode: 0o700 })
  const release = exclusive ? lock(path) : () => {}
  return { path, store: join(path, 'store'), release }
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
