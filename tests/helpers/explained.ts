import type pg from 'pg'
import type { Queryable } from '../../lib/db/pool.ts'

/** In place of running statements, explains them: `options` as `analyze, buffers`. Every answer is empty. */
export function explained<Plan>(db: Queryable, options: string, onPlan: (plan: Plan) => void): Queryable {
  return {
    async query<Row extends pg.QueryResultRow>(text: string, values?: unknown[]) {
      const { rows, ...rest } = await db.query<{ 'QUERY PLAN': [Plan] }>(
        `explain (${options}, format json) ${text}`,
        values,
      )
      onPlan(rows[0]!['QUERY PLAN'][0])
      return { ...rest, rows: [] as Row[] }
    },
  }
}
