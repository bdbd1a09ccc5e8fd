import type { Database, Queryable } from '../../db/pool.ts'

export type AfterCommit = {
  /** The same database; what was queued in one of its transactions runs once that has committed. */
  database: Database
  /**
   * Runs `act` after the commit of `tx`, never after a rollback; at once when `tx` is no open transaction. Of several
   * with one `key` the last runs, in its place. Whoever began the transaction waits for all of them.
   */
  queue(tx: Queryable, act: Act, key?: string): void
}

/** What it returns is awaited. */
type Act = () => unknown

/** Adds a hook to a database, so that nobody hears of a write that a rollback takes back. Acts must not fail. */
export function createAfterCommit(database: Database): AfterCommit {
  const queues = new WeakMap<Queryable, Map<unknown, Act>>()

  return {
    database: {
      ...database,
      async transaction(work) {
        const queue = new Map<unknown, Act>()
        const result = await database.transaction(async (tx) => {
          queues.set(tx, queue)
          try {
            return await work(tx)
          } finally {
            queues.delete(tx)
          }
        })
        for (const act of queue.values()) await act()
        return result
      },
    },

    queue(tx, act, key) {
      const queue = queues.get(tx)
      if (!queue) {
        act()
        return
      }
      if (key !== undefined) queue.delete(key)
      queue.set(key ?? act, act)
    },
  }
}
