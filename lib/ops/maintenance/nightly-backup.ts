// A nightly copy of the data folder, while Void runs on the embedded database. PGlite has one connection: while it is
// held, nothing is written, so after a checkpoint the files are as consistent as a stopped server's. They are packed
// after the connection is released.

import { execFile } from 'node:child_process'
import { constants, existsSync, realpathSync } from 'node:fs'
import { cp, mkdtemp, readdir, rename, rm, writeFile } from 'node:fs/promises'
import { basename, dirname, isAbsolute, join, relative, resolve, sep } from 'node:path'
import { promisify } from 'node:util'
import type { BackupState } from '../../contract/health.ts'
import { AppError } from '../../core/errors.ts'
import type { Logger } from '../../core/logger.ts'
import { makeFolder } from '../../core/make-folder.ts'
import { type Calendar, today } from '../../core/schedule/calendar.ts'
import { instantAt } from '../../core/schedule/instants.ts'
import { addDays } from '../../core/schedule/zoned.ts'
import type { Database } from '../../db/pool.ts'

export type BackUpOptions = {
  database: Pick<Database, 'pool' | 'engine'>
  /** The data folder. */
  folder: string
  /** The folder of the backups. */
  target: string
  now: Date
}

export type NightlyBackup = {
  state(): Promise<BackupState>
  /**
   * Backs up once a day, at the first check after three in the night, or after the start if the server was off then. A
   * failed backup is logged and retried at the next check. Returns a function that stops it.
   */
  start(): () => Promise<void>
}

type NightlyBackupOptions = Omit<BackUpOptions, 'now'> & {
  /** Number of backups kept. */
  keep: number
  logger: Logger
  calendar: Calendar
}

const everyMs = 60 * 60 * 1000
const atTime = '03:00:00'

/** Files that belong to a process, are temporary, were moved aside, or are backups or parts of one. */
const excluded =
  /^(lock.*|server\.json|imports|before-restore-.*|restoring\..*|store\.new|model-trial(\.new)?|.+\.(tar\.gz|dump)(\.part)?)$/
/** What Void replaces or removes in the data folder, beside those. */
const ownFolders = /^(store|sources)$/

const leftover = /^(\.copy-.*|void-\d{8}T\d{6}Z\.tar\.gz\.part)$/

/** Throws an `AppError` for a folder of backups that cannot be in the data folder at that place. */
export function createNightlyBackup(options: NightlyBackupOptions): NightlyBackup {
  const { folder, target, keep, logger, calendar } = options
  const { now } = calendar
  checkTarget(folder, target)
  let failedAt: Date | null = null
  let last: Promise<void> = Promise.resolve()

  async function check(): Promise<void> {
    try {
      await removeLeftovers(target)
      if (!(await isDue(target, calendar))) return
      const file = await backUp({ ...options, now: now() })
      failedAt = null
      await pruneBackups(target, keep)
      logger.info({ file }, 'backed up')
    } catch (error) {
      failedAt = now()
      logger.error({ err: error }, 'backup failed')
    }
  }

  return {
    async state() {
      const newest = (await listBackups(target)).at(-1)
      return {
        last_at: newest ? timeOf(newest).toISOString() : null,
        failed_at: failedAt?.toISOString() ?? null,
      }
    },

    start() {
      const next = () => {
        last = last.then(check)
      }
      next()
      const timer = setInterval(next, everyMs)
      return async () => {
        clearInterval(timer)
        await last
      }
    },
  }
}

function checkTarget(folder: string, target: string): void {
  const top = topWithin(folder, target)
  if (top === '') throw invalidFolder(`BACKUP_DIR is ${target}, which is the data folder itself.`)
  if (top !== null) checkTop(top, `BACKUP_DIR is ${target}`)
}

function checkTop(top: string, what: string): void {
  if (excluded.test(top) || ownFolders.test(top))
    throw invalidFolder(`${what}, which is in ${top} of the data folder.`)
}

const invalidFolder = (problem: string) =>
  new AppError(
    'invalid_backup_folder',
    500,
    `${problem} Set it to a folder of its own, best on another disk.`,
  )

/**
 * Names in the data folder that a backup into these folders, other than Void's own, holds. One that lies in the data folder
 * is not among them. Throws an `AppError` for one where Void replaces or removes files.
 */
export async function listKept(folder: string, targets: readonly string[]): Promise<string[]> {
  const tops = targets.map((target) => {
    const top = topWithin(folder, target)
    if (top) checkTop(top, `The backup is to go to ${target}`)
    return top
  })
  const names = await readdir(folder)
  return names.filter((name) => !excluded.test(name) && !tops.includes(name)).toSorted()
}

/** The name in the data folder of what contains the target; '' for the data folder itself, null for a target outside. */
function topWithin(folder: string, target: string): string | null {
  const path = relative(realPath(folder), realPath(target))
  const [top = ''] = path.split(sep)
  return top === '..' || isAbsolute(path) ? null : top
}

/** Without symbolic links, also of what does not exist yet. */
function realPath(path: string): string {
  const whole = resolve(path)
  if (existsSync(whole) || whole === dirname(whole)) return realpathSync(whole)
  return join(realPath(dirname(whole)), basename(whole))
}

async function removeLeftovers(target: string): Promise<void> {
  const names = (await readdir(target).catch(() => [])).filter((name) => leftover.test(name))
  await Promise.all(names.map((name) => rm(join(target, name), { recursive: true, force: true })))
}

/** True if there is no backup since the last three in the night, where the owner is. */
export async function isDue(target: string, calendar: Calendar): Promise<boolean> {
  const newest = (await listBackups(target)).at(-1)
  if (!newest) return true
  const day = today(calendar)
  const nights = [addDays(day, -1), day].map((each) =>
    instantAt({ day: each, time: atTime }, calendar.zone()),
  )
  const night = nights.findLast((each) => each <= calendar.now())
  return night !== undefined && timeOf(newest) < night
}

/** Writes one backup, for deploy/restore.sh, and returns its path. Throws file system errors. */
export async function backUp({ database, folder, target, now }: BackUpOptions): Promise<string> {
  if (database.engine !== 'pglite') throw new Error('only the embedded database can be backed up this way')
  makeFolder(target, 0o700)
  const copy = await mkdtemp(join(target, '.copy-'))
  const file = join(target, `void-${now.toISOString().replace(/[-:]|\.\d+/g, '')}.tar.gz`)
  try {
    await copyFolder(database, { folder, copy, names: await listKept(folder, [target]) })
    // It contains the owner's token.
    await writeFile(`${file}.part`, '', { mode: 0o600 })
    await promisify(execFile)('tar', [
      '--create',
      '--gzip',
      `--file=${file}.part`,
      `--directory=${copy}`,
      '.',
    ])
    // Renamed only once complete.
    await rename(`${file}.part`, file)
    return file
  } finally {
    await rm(copy, { recursive: true, force: true })
    await rm(`${file}.part`, { force: true })
  }
}

/** Removes all backups but the newest. */
export async function pruneBackups(target: string, keep: number): Promise<void> {
  const files = (await listBackups(target)).slice(0, -keep)
  await Promise.all(files.map((name) => rm(join(target, name))))
}

/** The names of the backups, oldest first. */
export async function listBackups(target: string): Promise<string[]> {
  const names = await readdir(target).catch(() => [])
  return names.filter((name) => /^void-\d{8}T\d{6}Z\.tar\.gz$/.test(name)).sort()
}

type Copying = { folder: string; copy: string; names: readonly string[] }

async function copyFolder({ pool }: Pick<Database, 'pool'>, { folder, copy, names }: Copying) {
  const client = await pool.connect()
  try {
    await client.query('checkpoint')
    for (const name of names) {
      await cp(join(folder, name), join(copy, name), {
        recursive: true,
        mode: constants.COPYFILE_FICLONE,
        preserveTimestamps: true,
      })
    }
  } finally {
    client.release()
  }
}

function timeOf(name: string): Date {
  const [, year, month, day, hour, minute, second] =
    /(\d{4})(\d\d)(\d\d)T(\d\d)(\d\d)(\d\d)Z/.exec(name) ?? []
  return new Date(`${year}-${month}-${day}T${hour}:${minute}:${second}Z`)
}
