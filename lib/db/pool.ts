// One `pg.Pool`, two engines. With a database URL it talks to a Postgres server; without one it talks to PGlite, a
// Postgres that runs in this process and keeps its files in the data folder. Nothing above this file can tell which.
//
// PGlite has one connection: inside `transaction`, everything goes through the `tx` that is handed in. Asking the
// pool there would wait for itself.

import { PGlite } from '@electric-sql/pglite'
import { vector } from '@electric-sql/pglite-pgvector'
import pg from 'pg'
import { databaseUnavailable } from '../errors.ts'
import { createLocalNotifications, createPostgresNotifications, type Notifications } from './notifications.ts'
import { isConnectionFailure } from './pg-errors.ts'
import { PgliteSocket } from './pglite-socket.ts'
import { createStatementNames } from './prepared-statements.ts'
import { typeParsers } from './type-parsers.ts'

/** The pool or one connection of it: all that a repo needs. */
export type Queryable = {
  query<Row extends pg.QueryResultRow>(text: string, values?: unknown[]): Promise<pg.QueryResult<Row>>
}

export type Database = Queryable & {
  engine: 'pglite' | 'postgres'
  pool: pg.Pool
  /** Words to the other servers on this database, and to this one. */
  notifications: Notifications
  /** Runs `work` between begin and commit; any throw rolls back and is passed on. */
  transaction<Result>(work: (tx: Queryable) => Promise<Result>): Promise<Result>
  close(): Promise<void>
}

export type DatabaseOptions = {
  /** `postgres://…`; left out: PGlite. */
  url?: string | undefined
  /** Folder of PGlite's files; left out: in memory. */
  folder?: string | undefined
  /** A ready PGlite instead of one opened here. Closed with the database. */
  pglite?: PGlite | undefined
  /** Connections to a Postgres server. */
  maxConnections?: number
  /** Told of connections that broke while nobody used them. Must not throw. */
  onConnectionError?: (error: Error) => void
}

/**
 * Opens the pool. For PGlite this waits until the store is ready; a Postgres server is not contacted until the first
 * query. A query or transaction that fails for want of a connection rejects with a 503 `AppError`.
 */
export async function openDatabase(options: DatabaseOptions): Promise<Database> {
  const onConnectionError = options.onConnectionError ?? (() => {})
  const pglite = options.url ? null : (options.pglite ?? (await openPglite(options.folder)))
  const pool = new pg.Pool(
    pglite
      ? {
          stream: () => new PgliteSocket(pglite),
          ...pgliteSession,
          types: typeParsers,
          max: 1,
          idleTimeoutMillis: 0,
        }
      : {
          connectionString: options.url,
          types: typeParsers,
          max: options.maxConnections ?? 10,
          connectionTimeoutMillis: 5000,
          keepAlive: true,
          options: '-c timezone=UTC',
        },
  )

  pool.on('error', onConnectionError)
  // A connection killed while checked out emits on the client, where an unheard 'error' would end the process.
  pool.on('connect', (client) => client.on('error', onConnectionError))

  // Prepared on PGlite alone: a pooler that stands before a Postgres server may not keep statements.
  const nameOf = pglite ? createStatementNames() : () => undefined

  const query: Queryable['query'] = (text, values) =>
    guarded(() => runQuery(pool, toStatement(nameOf, text, values)))
  const notifications = options.url
    ? createPostgresNotifications({ url: options.url, query, onError: onConnectionError })
    : createLocalNotifications()

  return {
    engine: pglite ? 'pglite' : 'postgres',
    pool,
    notifications,
    query,
    transaction: (work) => guarded(() => runTransaction(pool, work, nameOf)),
    async close() {
      await notifications.close()
      await pool.end()
      await pglite?.close()
    },
  }
}

// PGlite has one session for good: a connection that follows another one finds what that one left open.
const pgliteSession = {
  user: 'postgres',
  database: 'postgres',
  onConnect: async (client: pg.ClientBase) => {
    await client.query('rollback; deallocate all')
  },
}

async function openPglite(folder: string | undefined): Promise<PGlite> {
  return await PGlite.create({ dataDir: folder ?? 'memory://', extensions: { vector } })
}

type NameOf = (text: string) => string | undefined

/** One without values may hold several statements, which cannot be prepared. */
function toStatement(nameOf: NameOf, text: string, values: unknown[] | undefined): pg.QueryConfig {
  if (!values) return { text }
  const name = nameOf(text)
  return name === undefined ? { text, values } : { name, text, values }
}

// Not `pool.query`: it throws a connection away after any error, also one of the statement, and PGlite has only one.
async function runQuery<Row extends pg.QueryResultRow>(
  pool: pg.Pool,
  statement: pg.QueryConfig,
): Promise<pg.QueryResult<Row>> {
  const client = await pool.connect()
  let unusable: Error | undefined

  try {
    return await client.query<Row>(statement)
  } catch (error) {
    if (error instanceof Error && isConnectionFailure(error)) unusable = error
    throw error
  } finally {
    client.release(unusable)
  }
}

async function runTransaction<Result>(
  pool: pg.Pool,
  work: (tx: Queryable) => Promise<Result>,
  nameOf: NameOf,
): Promise<Result> {
  const client = await pool.connect()
  let unusable: Error | undefined

  try {
    await client.query('begin')
    const result = await work({ query: (text, values) => client.query(toStatement(nameOf, text, values)) })
    await client.query('commit')
    return result
  } catch (error) {
    await client.query('rollback').catch((failure: Error) => {
      unusable = failure
    })
    throw error
  } finally {
    client.release(unusable)
  }
}

async function guarded<Result>(run: () => Promise<Result>): Promise<Result> {
  try {
    return await run()
  } catch (error) {
    throw isConnectionFailure(error) ? databaseUnavailable(error) : error
  }
}
