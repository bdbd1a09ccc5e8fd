import type pg from 'pg'
import type { Queryable } from './pool.ts'
import { withTimes } from './type-parsers.ts'

type Read = { text: string; values: readonly unknown[] } & PromiseWithResolvers<pg.QueryResult>

/**
 * Runs the reads that `ask` begins before it returns as one statement, which costs one way to the database and back; what
 * is asked for later goes by itself. Rows come as JSON, so their columns are texts, numbers, booleans, dates, JSON, lists of
 * these, and times that are named `…_at`, which become what the pool makes of times.
 */
export function readTogether<Result>(db: Queryable, ask: (reads: Queryable) => Result): Result {
  const reads: Read[] = []
  let isOpen = true
  const result = ask({
    async query<Columns extends pg.QueryResultRow>(text: string, values: unknown[] = []) {
      if (!isOpen) return await db.query<Columns>(text, values)
      const read: Read = { text, values, ...Promise.withResolvers() }
      reads.push(read)
      return (await read.promise) as pg.QueryResult<Columns>
    },
  })
  isOpen = false
  if (reads.length > 0) void run(db, reads)
  return result
}

async function run(db: Queryable, reads: readonly Read[]): Promise<void> {
  const values = reads.flatMap((read) => read.values)
  let before = 0
  const columns = reads.map(({ text, values: own }, at) => {
    const shifted = text.replaceAll(/\$(\d+)/g, (_, number) => `$${before + Number(number)}`)
    before += own.length
    return `(select json_agg(row) from (${shifted}) as row) as read_${at}`
  })
  try {
    const { rows } = await db.query<Record<string, object[] | null>>(`select ${columns.join(', ')}`, values)
    for (const [at, { resolve }] of reads.entries()) {
      const found = (rows[0]![`read_${at}`] ?? []).map(withTimes)
      resolve({ rows: found, rowCount: found.length, command: 'SELECT', oid: 0, fields: [] })
    }
  } catch (error) {
    for (const { reject } of reads) reject(error)
  }
}
