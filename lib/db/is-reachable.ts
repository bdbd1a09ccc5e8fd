import type { Queryable } from './pool.ts'

/** Whether the database answers just now. */
export async function isReachable(db: Queryable): Promise<boolean> {
  try {
    await db.query('select')
    return true
  } catch {
    return false
  }
}
