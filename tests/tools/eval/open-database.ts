import pg from 'pg'
import { migrate } from '../../../lib/db/migrate.ts'
import { type Database, openDatabase } from '../../../lib/db/pool.ts'

/** An empty, migrated database: embedded and in memory, or made on a Postgres server and dropped by `close`. */
export async function openEvalDatabase(
  server: string | undefined,
): Promise<{ database: Database; close: () => Promise<void> }> {
  const name = `void_eval_${process.pid}`
  if (server) await runAlone(server, `create database ${name}`)
  const url = server ? Object.assign(new URL(server), { pathname: `/${name}` }).href : undefined
  const database = await openDatabase({ url })
  await migrate(database)

  return {
    database,
    async close() {
      await database.close()
      if (server) await runAlone(server, `drop database ${name} with (force)`)
    },
  }
}

async function runAlone(url: string, statement: string): Promise<void> {
  const client = new pg.Client({ connectionString: url })
  await client.connect()
  try {
    await client.query(statement)
  } finally {
    await client.end()
  }
}
