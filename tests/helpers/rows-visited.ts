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
        `select (pg_stat_get_xact_tuples_returned($1::regclass) + pg_stat_get_xact_tuples_fetched($1::regclass))::integer
           as visited`,
        [table],
      )
      return rows[0]!.visited
    }
    const before = await count()
    await run(tx)
    return (await count()) - before
  })
}
