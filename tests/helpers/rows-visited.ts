import type { Database, Queryable } from '../../lib/db/pool.ts'

/** Rows of a table that statements read, those that they throw away included. */
export function rowsVisited(
  database: Database,
  table: string,
  run: (tx: Queryable) => Promise<unknown>,
): Promise<number> {
  return database.transaction(async (tx) => {
    const count = async () => {
      const { rows } = await tx.query<{ visited: number }>(
        `select (seq_tup_read + coalesce(idx_tup_fetch, 0))::integer as visited
         from pg_stat_xact_user_tables
         where relid = $1::regclass`,
        [table],
      )
      return rows[0]!.visited
    }
    const before = await count()
    await run(tx)
    return (await count()) - before
  })
}
