import { fileURLToPath } from 'node:url'
import { runner } from 'node-pg-migrate'
import type { Database } from './pool.ts'

const ownFolder = fileURLToPath(new URL('./migrations/', import.meta.url))

export type MigrateOptions = {
  /** Further folders of migrations, run after Void's own: how a test adds a kind. */
  folders?: string[]
  log?: (message: string) => void
}

/**
 * Brings the schema up to date and returns the names of the migrations that ran. All of them run in one transaction.
 * Two servers that start against one Postgres take turns on an advisory lock; the second finds nothing left to do.
 * PGlite needs no lock: the data folder has one owner.
 */
export async function migrate(database: Database, options: MigrateOptions = {}): Promise<string[]> {
  const client = await database.pool.connect()

  try {
    const ran: string[] = []
    for (const dir of [ownFolder, ...(options.folders ?? [])]) {
      const done = await runner({
        dbClient: client,
        dir,
        direction: 'up',
        migrationsTable: 'migrations',
        checkOrder: options.folders === undefined,
        noLock: database.engine === 'pglite',
        advisoryLockMode: 'wait',
        log: options.log ?? (() => {}),
      })
      ran.push(...done.map((migration) => migration.name))
    }
    return ran
  } finally {
    client.release()
  }
}
