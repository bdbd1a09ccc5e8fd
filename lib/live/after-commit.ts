import type { Database, Queryable } from '../db/pool.ts'

export type AfterCommit = {
  /** The same database; what was queued in one of its transactions runs once that has committed. */
  database: Database
  /** Runs `act` after the commit of `tx`, never after a rollback; at once when `tx` is no open transaction. */
  queue(tx: Queryable, act: () => void): void
}

/** Adds a hook to a database, so that nobody hears of a write that a rollback takes back. `act` must not throw. */
export function createAfterCommit(database: Database): AfterCommit {
  const queues = new WeakMap<Queryable, (() => void)[]>()

  return {
    database: {
      ...database,
      async transaction(work) {
        const queue: (() => void)[] = []
        const result = await database.transaction(async (tx) => {
          queues.set(tx, queue)
          try {
            return await work(tx)
          } finally {
            queues.delete(tx)
          }
        })
        for (const act of queue) act()
        return result
      },
    },

    queue(tx, act) {
      const queue = queues.get(tx)
      if (queue) queue.push(act)
      else act()
    },
  }
}
