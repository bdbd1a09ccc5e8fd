import { execFile } from 'node:child_process'
import { existsSync } from 'node:fs'
import { readdir, rename, rm } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import { AppError } from '../core/errors.ts'
import { type CheckOptions, checkPostgres } from './check-postgres.ts'
import { refuseFullDisk } from './disk-space.ts'
import { type Database, type DatabaseOptions, openDatabase, unusableStore } from './pool.ts'

const run = promisify(execFile)
const program = fileURLToPath(new URL('./make-store.ts', import.meta.url))

type StoreOptions = { url?: string | undefined; folder?: string | undefined } & Pick<CheckOptions, 'onWait'>

/** Opens the database as `openDatabase` does, after `prepareStore`. */
export async function openOrMakeStore(options: DatabaseOptions & StoreOptions): Promise<Database> {
  await prepareStore(options)
  return await openDatabase(options)
}

/**
 * Waits for a Postgres and looks at it, or makes the embedded store. Throws `AppError` `database_unusable`,
 * `store_not_made` or `store_unusable`.
 */
export async function prepareStore({ url, folder, onWait }: StoreOptions): Promise<void> {
  if (url) await checkPostgres({ url, onWait })
  else if (folder) await ensureStore(folder)
}

/**
 * Makes the embedded store if the folder holds none; it appears whole or not at all. Another process makes it, so that the
 * half gigabyte that this takes is given back, with V8's baseline compiler alone: it would optimize functions that only a
 * first start is long busy with. Throws `AppError` `store_not_made`.
 */
async function ensureStore(folder: string): Promise<void> {
  if (existsSync(join(folder, 'PG_VERSION'))) return
  if (existsSync(folder) && !(await isEmpty(folder))) throw unusableStore(folder, 'PG_VERSION is missing')
  await refuseFullDisk(dirname(folder))
  const unfinished = `${folder}.new`
  await rm(unfinished, { recursive: true, force: true })
  await runProgram(unfinished)
  await rename(unfinished, folder).catch((cause: Error) => {
    throw notMade(folder, cause.message)
  })
}

const isEmpty = async (folder: string) => (await readdir(folder).catch(() => [folder])).length === 0

async function runProgram(folder: string): Promise<void> {
  const running = run(process.execPath, ['--liftoff-only', program, folder])
  const end = () => running.child.kill('SIGKILL')
  process.once('exit', end)
  try {
    await running
  } catch (error) {
    throw notMade(folder, reasonOf(error))
  } finally {
    process.off('exit', end)
  }
}

/** The last line that the program printed, or the signal that ended it. */
function reasonOf(error: unknown): string {
  if (!(error instanceof Error)) return String(error)
  const signal: unknown = Reflect.get(error, 'signal')
  if (signal) return `its process was ended by ${signal}, perhaps for want of memory`
  const lines = String(Reflect.get(error, 'stderr') ?? '').match(/^\S.*$/gm)
  return lines?.at(-1) ?? error.message
}

const notMade = (folder: string, reason: string) =>
  new AppError(
    'store_not_made',
    500,
    `The embedded database could not be created in ${folder}: ${reason.replace(/\.$/, '')}. Start Void again, or set another folder with DATA_DIR.`,
  )
