// A nightly copy of the data folder, while Void runs on the embedded database. PGlite has one connection: while it is
// held, nothing is written, so after a checkpoint the files are as consistent as a stopped server's. They are packed
// after the connection is released.

import { execFile } from 'node:child_process'
import { constants } from 'node:fs'
import { cp, mkdir, mkdtemp, readdir, rename, rm, writeFile } from 'node:fs/promises'
import { join, resolve } from 'node:path'
import { promisify } from 'node:util'
import type { Logger } from '../../core/logger.ts'
import type { Database } from '../../db/pool.ts'

export type BackUpOptions = {
  database: Pick<Database, 'pool' | 'engine'>
  /** The data folder. */
  folder: string
  /** The folder of the backups. */
  target: string
  now: Date
}

export type NightlyBackupOptions = Omit<BackUpOptions, 'now'> & {
  /** Number of backups kept. */
  keep: number
  logger: Logger
  now: () => Date
  /** Milliseconds between two checks whether a backup is due. Default: an hour. */
  everyMs?: number
}

const hourMs = 60 * 60 * 1000
const atHour = 3

/** Files that belong to a process, are temporary, or were moved aside. */
const excluded = /^(lock.*|server\.json|imports|before-restore-.*|restoring\..*)$/

/**
 * Backs up once a day, at the first check after three in the night, or after the start if the server was off then. A
 * failed backup is logged and retried at the next check. Returns a function that stops it.
 */
export function startNightlyBackup(options: NightlyBackupOptions): () => Promise<void> {
  const { logger, now, target } = options
  let last: Promise<void> = Promise.resolve()

  const check = () => {
    last = last.then(async () => {
      try {
        if (!(await isDue(target, now()))) return
        const file = await backUp({ ...options, now: now() })
        await pruneBackups(target, options.keep)
        logger.info({ file }, 'backed up')
      } catch (error) {
        logger.error({ err: error }, 'backup failed')
      }
    })
  }
  check()
  const timer = setInterval(check, options.everyMs ?? hourMs)
  return async () => {
    clearInterval(timer)
    await last
  }
}

/** True if there is no backup since the last three in the night, local time. */
export async function isDue(target: string, now: Date): Promise<boolean> {
  const newest = (await listBackups(target)).at(-1)
  if (!newest) return true
  const night = new Date(now)
  night.setHours(atHour, 0, 0, 0)
  if (night > now) night.setDate(night.getDate() - 1)
  return timeOf(newest) < night
}

/** Writes one backup, for deploy/restore.sh, and returns its path. Throws file system errors. */
export async function backUp({ database, folder, target, now }: BackUpOptions): Promise<string> {
  if (database.engine !== 'pglite') throw new Error('only the embedded database can be backed up this way')
  await mkdir(target, { recursive: true, mode: 0o700 })
  const copy = await mkdtemp(join(target, '.copy-'))
  const file = join(target, `void-${now.toISOString().replace(/[-:]|\.\d+/g, '')}.tar.gz`)
  try {
    await copyFolder(database, resolve(folder), copy, resolve(target))
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

async function copyFolder({ pool }: Pick<Database, 'pool'>, folder: string, copy: string, target: string) {
  const client = await pool.connect()
  try {
    await client.query('checkpoint')
    for (const name of await readdir(folder)) {
      const place = join(folder, name)
      if (excluded.test(name) || place === target) continue
      await cp(place, join(copy, name), {
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
