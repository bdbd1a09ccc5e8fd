import { PgBoss } from 'pg-boss'
import type { Database } from '../db/pool.ts'
import type { Logger } from '../logger.ts'

/**
 * A queue of jobs in the same database, in the schema `pgboss`, on both engines; not started. Jobs survive a crash and
 * are tried again. On PGlite it shares the one connection, so it looks for work seldom.
 */
export function createBoss(database: Database, logger: Logger): PgBoss {
  const boss = new PgBoss({
    db: { executeSql: async (text, values) => await database.query(text, values) },
    backend: database.engine === 'pglite' ? 'pglite' : 'postgres',
    schedule: false,
    reindex: false,
    superviseIntervalSeconds: 300,
  })
  boss.on('error', (error) => logger.warn({ err: error }, 'the queue of jobs has trouble'))
  return boss
}
