import { readdir } from 'node:fs/promises'
import { basename, extname } from 'node:path'
import { fileURLToPath } from 'node:url'
import type pg from 'pg'
import type { Database, Queryable } from './pool.ts'
import { takeOver } from './take-over.ts'

const ownFolder = fileURLToPath(new URL('./migrations/', import.meta.url))

export type MigrateOptions = {
  /** Further folders of migrations, run after Void's own: how a test adds a kind. */
  folders?: string[]
  log?: (message: string) => void
  /** How long a statement waits for a table that somebody else uses, on a Postgres server. */
  maxLockSeconds?: number
}

/** Of `pg_advisory_xact_lock`: any number that nobody else uses. */
const lockKey = 7_241_865_325

/**
 * Brings the schema up to date and returns the names of the migrations that ran. All of them run in one transaction.
 * Servers that start against one Postgres take turns on a lock that ends with that transaction, so that a pooler may
 * stand before the server; the second finds nothing left to do. Throws `AppError` `store_too_old`.
 */
export async function migrate(database: Database, options: MigrateOptions = {}): Promise<string[]> {
  const folders = [ownFolder, ...(options.folders ?? [])]
  if (await isMigrated(database, folders)) return []
  const { runner } = await import('node-pg-migrate')
  const client = await database.pool.connect()

  try {
    const names: string[] = []
    for (const dir of folders) {
      const migrations = await runAlone(client, options.maxLockSeconds ?? 10, () =>
        runner({
          dbClient: client,
          dir,
          direction: 'up',
          migrationsTable: 'migrations',
          checkOrder: options.folders === undefined,
          noLock: true,
          singleTransaction: true,
          log: options.log ?? (() => {}),
        }),
      )
      names.push(...migrations.map(({ name }) => name))
    }
    return names
  } finally {
    client.release()
  }
}

/** Whether nothing is left to do, as at most starts: then neither the migrations nor what runs them are loaded. */
async function isMigrated(database: Database, folders: readonly string[]): Promise<boolean> {
  if (!(await hasMigrations(database))) return false
  const { rows } = await database.query<{ name: string }>('select name from migrations')
  const names = new Set(rows.map(({ name }) => name))
  const files = (await Promise.all(folders.map((folder) => readdir(folder)))).flat()
  return files.every((file) => names.has(basename(file, extname(file))))
}

async function hasMigrations(db: Queryable): Promise<boolean> {
  const { rows } = await db.query<{ exists: boolean }>(
    "select to_regclass('migrations') is not null as exists",
  )
  return rows[0]?.exists ?? false
}

/**
 * Takes an old store over, then runs `run`, whose own `begin` finds a transaction begun and whose `commit` or `rollback`
 * ends it. It may also do neither.
 */
async function runAlone<Result>(
  client: pg.PoolClient,
  maxLockSeconds: number,
  run: () => Promise<Result>,
): Promise<Result> {
  await client.query('begin')
  try {
    await client.query('select pg_advisory_xact_lock($1)', [lockKey])
    // A statement that waits for a table makes everybody wait who comes after it. One that cannot have it soon fails, and
    // the release before serves on.
    await client.query(`set local lock_timeout = '${maxLockSeconds}s'`)
    if (await hasMigrations(client)) await takeOver(client)
    const result = await run()
    // After the end of the transaction this does nothing. Without migrations to run there was nothing but the lock, and
    // perhaps the table of migrations.
    await client.query('commit')
    return result
  } catch (error) {
    await client.query('rollback')
    throw error
  }
}
