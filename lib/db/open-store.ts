import { execFile } from 'node:child_process'
import { existsSync } from 'node:fs'
import { rename, rm } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import { AppError } from '../core/errors.ts'
import { refuseFullDisk } from './disk-space.ts'
import { type Database, type DatabaseOptions, openDatabase } from './pool.ts'

const run = promisify(execFile)
const program = fileURLToPath(new URL('./make-store.ts', import.meta.url))

/** Opens the database as `openDatabase` does, after `ensureStore`. */
export async function openOrMakeStore(options: DatabaseOptions): Promise<Database> {
  if (!options.url && options.folder) await ensureStore(options.folder)
  return await openDatabase(options)
}

/**
 * Makes the embedded store if the folder holds none; it appears whole or not at all. Another process makes it, so that the
 * half gigabyte that this takes is given back, with V8's baseline compiler alone: it would optimize functions that only a
 * first start is long busy with. Throws `AppError` `store_not_made`.
 */
export async function ensureStore(folder: string): Promise<void> {
  if (existsSync(join(folder, 'PG_VERSION'))) return
  await refuseFullDisk(dirname(folder))
  const unfinished = `${folder}.new`
  await rm(unfinished, { recursive: true, force: true })
  await runProgram(unfinished)
  await rename(unfinished, folder).catch((cause: Error) => {
    throw notMade(folder, cause.message)
  })
}

async function runProgram(folder: string): Promise<void> {
  try {
    await run(process.execPath, ['--liftoff-only', program, folder])
  } catch (error) {
    throw notMade(folder, error instanceof Error ? error.message : String(error))
  }
}

const notMade = (folder: string, reason: string) =>
  new AppError('store_not_made', 500, `The embedded database could not be created in ${folder}: ${reason}`)
