// A copy of the data folder while Void runs on the embedded database. PGlite has one connection: who holds it knows
// that nothing is written, so after a checkpoint the files are as good as those of a stopped server. They are packed
// once everybody may write again.

import { execFile } from 'node:child_process'
import { constants } from 'node:fs'
import { cp, mkdir, mkdtemp, readdir, rename, rm, writeFile } from 'node:fs/promises'
import { join, resolve } from 'node:path'
import { promisify } from 'node:util'
import type { Database } from '../../db/pool.ts'

export type BackUpOptions = {
  database: Pick<Database, 'pool' | 'engine'>
  /** The data folder. */
  folder: string
  /** Where backups go. */
  target: string
  now: Date
}

/** What belongs to a process, is on its way in, or was moved aside. */
const left = /^(lock.*|server\.json|imports|before-restore-.*|restoring\..*)$/

/** Writes one backup, which deploy/restore.sh puts back, and returns its path. Throws what the file system throws. */
export async function backUp({ database, folder, target, now }: BackUpOptions): Promise<string> {
  if (database.engine !== 'pglite') throw new Error('only the embedded database is backed up like this')
  await mkdir(target, { recursive: true, mode: 0o700 })
  const copy = await mkdtemp(join(target, '.copy-'))
  const file = join(target, `void-${now.toISOString().replace(/[-:]|\.\d+/g, '')}.tar.gz`)
  try {
    await copyFolder(database, resolve(folder), copy, resolve(target))
    // It holds the owner's token.
    await writeFile(`${file}.part`, '', { mode: 0o600 })
    await promisify(execFile)('tar', [
      '--create',
      '--gzip',
      `--file=${file}.part`,
      `--directory=${copy}`,
      '.',
    ])
    // Under its own name only when it is whole.
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
      if (left.test(name) || place === target) continue
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
