// One `pg.Pool`, two engines. With a database URL it talks to a Postgres server; without one it talks to PGlite, a
// Postgres that runs in a thread of this process and keeps its files in the data folder. Nothing above this file can
// tell which.
//
// PGlite has one connection: inside `transaction`, everything goes through the `tx` that is handed in. Asking the
// pool there would wait for itself.

import { dirname } from 'node:path'
import { setTimeout as wait } from 'node:timers/promises'
import pg from 'pg'
import { AppError, databaseUnavailable, storageFull } from '../core/errors.ts'
import { createRoomCheck, refuseFullDisk } from './disk-space.ts'
import { createLocalNotifications, createPostgresNotifications, type Notifications } from './notifications.ts'
import { endsEngine, isConnectionFailure, isDiskFull, isStaleStatement } from './pg-errors.ts'
import { type Engine, startEngine } from './pglite/engine.ts'
import type { EngineOptions } from './pglite/engine-thread.ts'
import { PgliteSocket } from './pglite/pglite-socket.ts'
import { createPreparation, type Query, sendOverAny, sendOverOne } from './statements.ts'

/** The pool or one connection of it: all that a repo needs. */
export type Queryable = { query: Query }

/** An open transaction. */
export type Tx = Queryable & {
  /**
   * Runs `act` once the transaction has committed, never after a rollback. Of several with one `key` the last runs, in
   * its place. Whoever began the transaction waits for all of them. `act` must not fail.
   */
  afterCommit(act: () => unknown, key?: string): void
  /** Set while changes are applied that belong together: the renames among them, whose links follow once all are applied. */
  heldRenames: HeldRenames | null
}

/** Renames that are applied together. */
export type HeldRenames = {
  /** The links that these renames may turn, as they were before the first of them; by text and what is written. */
  links: Map<string, RenamedLink>
  /** What was renamed or moved, by id; with its path before, and its title if that may have changed. */
  moved: Map<string, { space_id: string; type: string; title: string | null; path: string | null }>
  /** The first change that they undo: a text that is unchanged since had its links by the present names before. */
  undoes?: number
  /** Rewrites the links. */
  follow: () => Promise<unknown>
}

type RenamedLink = {
  from_type: string
  from_id: string
  ordinal: number
  form: 'wiki' | 'path'
  target: string
  name: string
  holder: string | null
  to_type: string | null
  to_id: string | null
}

export type Database = Queryable & {
  engine: 'pglite' | 'postgres'
  pool: pg.Pool
  /** Words to the other servers on this database, and to this one. */
  notifications: Notifications
  /** Runs `work` between begin and commit, then what it asked for after that; any throw rolls back and is passed on. */
  transaction<Result>(work: (tx: Tx) => Promise<Result>): Promise<Result>
  /**
   * Rejects with a 507 while there is too little room for an embedded store, which would end in the middle of a write
   * and take the server with it.
   */
  checkRoom(): Promise<void>
  close(): Promise<void>
}

export type DatabaseOptions = EngineOptions & {
  /** A running embedded engine, kept open when the pool closes. Default: a new one. */
  engine?: Engine | undefined
  /** `postgres://…`. Default: PGlite. */
  url?: string | undefined
  /** Direct URL of the same database, without a pooler, for the listening connection. Default: `url`. */
  directUrl?: string | undefined
  /** Maximum connections to a Postgres server. */
  maxConnections?: number
  /** Called when an idle connection fails. Must not throw. */
  onConnectionError?: (error: Error) => void
  /** Called when notifications do not arrive, so that listeners poll. Must not throw. */
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
  const { url, directUrl, onConnectionError = () => {}, onSilence } = options
  const own = url || options.engine ? null : await openEngine(options)
  const engine = options.engine ?? own
  const guarded = createGuard(engine ? options.onEngineEnd : undefined)
  const pool = openPool(engine, options)

  // A pooler before a Postgres server may not keep statements (PgBouncer does from 1.21 on, if it is told to). For the
  // same reason no session is set up: statements do not depend on its time zone.
  const prepared = createPreparation(!directUrl)
  const queryOnce = prepared(engine ? sendOverOne(pool) : sendOverAny(pool))
  const query: Query = (text, values) =>
    guarded(() =>
      queryOnce<never>(text, values).catch((error: unknown) => {
        if (isStaleStatement(error)) return queryOnce<never>(text, values)
        throw error
      }),
    )
  const notifications = url
    ? createPostgresNotifications({ url: directUrl ?? url, query, onError: onConnectionError, onSilence })
    : createLocalNotifications()

  return {
    engine: engine ? 'pglite' : 'postgres',
    pool,
    notifications,
    query,
    async transaction(work) {
      const acts = new Map<unknown, () => unknown>()
      const result = await guarded(() =>
        runTransaction(pool, (client) =>
          work({
            query: prepared((statement) => client.query(statement)),
            afterCommit(act, key) {
              if (key !== undefined) acts.delete(key)
              acts.set(key ?? act, act)
            },
            heldRenames: null,
          }),
        ),
      )
      for (const act of acts.values()) await act()
      return result
    },
    checkRoom: options.folder ? createRoomCheck(dirname(options.folder)) : async () => {},
    async close() {
      await notifications.close()
      await pool.end()
      await own?.close()
    },
  }
}

/** Whether the database answers just now. */
export async function isReachable(db: Queryable): Promise<boolean> {
  try {
    await db.query('select')
    return true
  } catch {
    return false
  }
}

async function openEngine({ folder, dump, code, onEngineEnd }: DatabaseOptions): Promise<Engine> {
  if (folder) await refuseFullDisk(dirname(folder))
  try {
    return await startEngine({ folder, dump, code }, onEngineEnd)
  } catch (error) {
    if (!folder || isDiskFull(error)) throw error
    throw unusableStore(folder, error instanceof Error ? error.message : String(error), error)
  }
}

/** For an embedded store that does not open. */
export const unusableStore = (folder: string, reason: string, cause?: unknown) =>
  new AppError(
    'store_unusable',
    500,
    `The embedded database in ${folder} is damaged, or another version of Void made it (${reason.replace(/\s+/g, ' ').replace(/\.$/, '')}). Restore a backup (deploy/restore.sh FILE), or move that folder away to begin with an empty one.`,
    { cause },
  )

function openPool(engine: Engine | null, options: DatabaseOptions): pg.Pool {
  const { url, maxConnections = 10, onConnectionError = () => {} } = options
  const pool = new pg.Pool({
    types,
    // What a transaction asks at once goes out at once.
    pipeline: true,
    ...(engine
      ? { stream: () => new PgliteSocket(engine), ...pgliteSession, max: 1, idleTimeoutMillis: 0 }
      : { connectionString: url, max: maxConnections, connectionTimeoutMillis: 5000, keepAlive: true }),
  })
  pool.on('error', onConnectionError)
  // A connection killed while checked out emits on the client, where an unheard 'error' would end the process.
  pool.on('connect', (client) => client.on('error', onConnectionError))
  return pool
}

// PGlite has one session for good: a connection that follows another one finds what that one left open.
const pgliteSession = {
  user: 'postgres',
  database: 'postgres',
  onConnect: async (client: pg.ClientBase) => {
    await client.query('rollback; deallocate all')
  },
}

/**
 * How column values become JavaScript: times as ISO 8601 strings, dates as `YYYY-MM-DD` (a JavaScript date would
 * shift them by the time zone), 64-bit counts as numbers. The wire uses the same forms, so rows need no mapping.
 */
const types: pg.CustomTypesConfig = {
  getTypeParser(oid: number, format?: 'text' | 'binary') {
    const { TIMESTAMPTZ, DATE, INT8 } = pg.types.builtins
    if (oid === TIMESTAMPTZ) return (value: string) => new Date(value).toISOString()
    if (oid === DATE) return (value: string) => value
    if (oid === INT8) return Number
    return format === 'binary' ? pg.types.getTypeParser(oid, 'binary') : pg.types.getTypeParser(oid, 'text')
  },
}

async function runTransaction<Result>(
  pool: pg.Pool,
  work: (client: pg.PoolClient) => Promise<Result>,
): Promise<Result> {
  const client = await pool.connect()
  let unusable: Error | undefined

  try {
    await client.query('begin')
    const result = await work(client)
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

/** Waits between tries, in milliseconds: about half a minute in all. */
const delaysMs = [200, 500, 1000, 2000, 4000, 8000, 16_000]

/**
 * Waits for a database that is unavailable for a moment, so that what a model said is not lost to a restart. `run` has to be
 * safe to run twice: a connection may break after its work was done; `again` says that it may have been. Rejects with the
 * reason of `signal` when that is aborted meanwhile.
 */
export async function retryWhileDatabaseUnavailable<Result>(
  run: (again: boolean) => Promise<Result>,
  signal?: AbortSignal,
): Promise<Result> {
  for (const [tries, delay] of delaysMs.entries()) {
    try {
      return await run(tries > 0)
    } catch (error) {
      if (!(error instanceof AppError && error.code === 'database_unavailable')) throw error
      await wait(delay, undefined, signal ? { signal } : {}).catch(() => {})
      signal?.throwIfAborted()
    }
  }
  return await run(true)
}
