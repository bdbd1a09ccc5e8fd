// One `pg.Pool`, two engines. With a database URL it talks to a Postgres server; without one it talks to PGlite, a
// Postgres that runs in a thread of this process and keeps its files in the data folder. Nothing above this file can
// tell which.
//
// PGlite has one connection: inside `transaction`, everything goes through the `tx` that is handed in. Asking the
// pool there would wait for itself.

import { dirname } from 'node:path'
import pg from 'pg'
import { databaseUnavailable, storageFull } from '../errors.ts'
import { createRoomCheck, refuseFullDisk } from './disk-space.ts'
import { createLocalNotifications, createPostgresNotifications, type Notifications } from './notifications.ts'
import { endsEngine, isConnectionFailure, isDiskFull, isStaleStatement } from './pg-errors.ts'
import { type Engine, startEngine } from './pglite/engine.ts'
import type { EngineOptions } from './pglite/messages.ts'
import { PgliteSocket } from './pglite/pglite-socket.ts'
import { createPipeline } from './pipeline.ts'
import { createStatementNames, noStatementNames, type StatementNames } from './prepared-statements.ts'
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
  /**
   * Rejects with a 507 while there is too little room for an embedded store, which would end in the middle of a write
   * and take the server with it.
   */
  checkRoom(): Promise<void>
  close(): Promise<void>
}

export type DatabaseOptions = EngineOptions & {
  /** An embedded engine that runs already, and goes on when the pool is closed; left out: one of its own. */
  engine?: Engine | undefined
  /** `postgres://…`; left out: PGlite. */
  url?: string | undefined
  /** The same database without a pooler in between, for the one connection that listens; left out: `url`. */
  directUrl?: string | undefined
  /** Connections to a Postgres server. */
  maxConnections?: number
  /** Told of connections that broke while nobody used them. Must not throw. */
  onConnectionError?: (error: Error) => void
  /** Told when notifications do not arrive, so that their listeners look by themselves. Must not throw. */
  onSilence?: (() => void) | undefined
  /** Told when the embedded engine is gone; another process has to open its folder again. Must not throw. */
  onEngineEnd?: (error: unknown) => void
}

/**
 * Opens the pool. For PGlite this waits until the store is ready; a Postgres server is not contacted until the first
 * query. A query or transaction that fails for want of a connection rejects with a 503 `AppError`, one for want of
 * space with a 507.
 */
export async function openDatabase(options: DatabaseOptions): Promise<Database> {
  const onConnectionError = options.onConnectionError ?? (() => {})
  const own = options.url || options.engine ? null : await openEngine(options)
  const engine = options.engine ?? own
  const guarded = createGuard(engine ? options.onEngineEnd : undefined)
  const pool = new pg.Pool({
    types: typeParsers,
    // What a transaction asks at once goes out at once.
    pipeline: true,
    ...(engine
      ? { stream: () => new PgliteSocket(engine), ...pgliteSession, max: 1, idleTimeoutMillis: 0 }
      : {
          connectionString: options.url,
          max: options.maxConnections ?? 10,
          connectionTimeoutMillis: 5000,
          keepAlive: true,
        }),
  })

  pool.on('error', onConnectionError)
  // A connection killed while checked out emits on the client, where an unheard 'error' would end the process.
  pool.on('connect', (client) => client.on('error', onConnectionError))

  // A pooler before a Postgres server may not keep statements (PgBouncer does from 1.21 on, if it is told to). For the
  // same reason no session is set up: statements do not depend on its time zone.
  const names = options.directUrl ? noStatementNames : createStatementNames()
  const run = engine ? createPipeline(pool) : runOn(pool)

  const askOnce = prepare(names, run)
  const query = <Row extends pg.QueryResultRow>(text: string, values?: unknown[]) =>
    guarded(() =>
      askOnce<Row>(text, values).catch((error: unknown) => {
        if (isStaleStatement(error)) return askOnce<Row>(text, values)
        throw error
      }),
    )
  const notifications = options.url
    ? createPostgresNotifications({
        url: options.directUrl ?? options.url,
        query,
        onError: onConnectionError,
        onSilence: options.onSilence,
      })
    : createLocalNotifications()

  return {
    engine: engine ? 'pglite' : 'postgres',
    pool,
    notifications,
    query,
    transaction: (work) => guarded(() => runTransaction(pool, work, names)),
    checkRoom: options.folder ? createRoomCheck(dirname(options.folder)) : async () => {},
    async close() {
      await notifications.close()
      await pool.end()
      await own?.close()
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

async function openEngine({ folder, dump, code, onEngineEnd }: DatabaseOptions): Promise<Engine> {
  if (folder) await refuseFullDisk(dirname(folder))
  return await startEngine({ folder, dump, code }, onEngineEnd)
}

type Run = <Row extends pg.QueryResultRow>(statement: pg.QueryConfig) => Promise<pg.QueryResult<Row>>

/** Takes a connection for each statement. The pool's own `query` gives one up for each statement that fails. */
function runOn(pool: pg.Pool): Run {
  return async (statement) => {
    const client = await pool.connect()
    let broken: Error | undefined
    try {
      return await client.query(statement)
    } catch (error) {
      if (error instanceof Error && isConnectionFailure(error)) broken = error
      throw error
    } finally {
      client.release(broken)
    }
  }
}

/** Names statements, until one of them is stale. One without values may hold several, which cannot be prepared. */
function prepare(names: StatementNames, run: Run): Queryable['query'] {
  return async (text, values) => {
    const name = values && names.nameOf(text)
    try {
      return await run({ text, ...(values && { values }), ...(name !== undefined && { name }) })
    } catch (error) {
      if (isStaleStatement(error)) names.stop()
      throw error
    }
  }
}

async function runTransaction<Result>(
  pool: pg.Pool,
  work: (tx: Queryable) => Promise<Result>,
  names: StatementNames,
): Promise<Result> {
  const client = await pool.connect()
  let unusable: Error | undefined

  try {
    await client.query('begin')
    const result = await work({ query: prepare(names, (statement) => client.query(statement)) })
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

function createGuard(onEngineEnd: DatabaseOptions['onEngineEnd'] = () => {}) {
  return async <Result>(run: () => Promise<Result>): Promise<Result> => {
    try {
      return await run()
    } catch (error) {
      if (endsEngine(error)) onEngineEnd(error)
      if (isDiskFull(error)) throw storageFull(error)
      // A transaction cannot be done again here; whoever asked may.
      throw isConnectionFailure(error) || isStaleStatement(error) ? databaseUnavailable(error) : error
    }
  }
}
