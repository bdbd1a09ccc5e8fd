import type pg from 'pg'
import { isConnectionFailure } from './pg-errors.ts'

type Shared = {
  client: Promise<pg.PoolClient>
  isConnected: boolean
  running: number
  /** What broke the connection. */
  broken?: Error
}

/**
 * Sends single statements over a pool's one connection without waiting for the answers of those before them, so that
 * the database always has the next one at hand. Whoever asks the pool for the connection gets it when the statements
 * that were sent before are answered; those that come meanwhile wait behind. The pool's clients must be able to pipeline.
 */
export function createPipeline(pool: pg.Pool) {
  let newest: Shared | null = null

  return async <Row extends pg.QueryResultRow>(statement: pg.QueryConfig): Promise<pg.QueryResult<Row>> => {
    const shared = join()
    shared.running += 1
    try {
      const client = await shared.client
      return await client.query<Row>(statement)
    } catch (error) {
      if (error instanceof Error && isConnectionFailure(error)) shared.broken = error
      throw error
    } finally {
      shared.running -= 1
      if (shared.broken || shared.running === 0) leave(shared)
    }
  }

  // Behind whoever waits for the connection, not before.
  function join(): Shared {
    if (newest && !(newest.isConnected && pool.waitingCount > 0)) return newest
    const shared: Shared = { client: pool.connect(), isConnected: false, running: 0 }
    shared.client.then(
      () => {
        shared.isConnected = true
      },
      () => {},
    )
    newest = shared
    return shared
  }

  function leave(shared: Shared): void {
    if (newest === shared) newest = null
    if (shared.running > 0) return
    shared.client.then(
      (client) => client.release(shared.broken),
      () => {},
    )
  }
}
