import { PgBoss } from 'pg-boss'
import type { Database } from '../db/pool.ts'
import type { Logger } from '../logger.ts'

/**
 * A queue of jobs in the same database, in the schema `pgboss`, on both engines; not started. Jobs survive a crash and
 * are tried again. On PGlite it shares the one connection, so it looks for work seldom.
 */
export function createBoss(database: Database, logger: Logger): PgBoss {
  const embedded = database.engine === 'pglite'
  const boss = new PgBoss({
    db: { executeSql: async (text, values) => await database.query(text, values) },
    backend: embedded ? 'pglite' : 'postgres',
    schedule: false,
    reindex: false,
    // On a server other processes share the queue, and whose job has ended without a word has to be found out.
    superviseIntervalSeconds: embedded ? 300 : 15,
    monitorIntervalSeconds: embedded ? 300 : 15,
  })
  boss.on('error', (error) => logger.warn({ err: error }, 'the queue of jobs has trouble'))
  return boss
}
