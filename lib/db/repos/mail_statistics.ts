import type { Queryable } from '../pool.ts'

/**
 * Renews the planner's statistics of mail. PGlite has no autovacuum, and a plan made while the tables were empty reads all
 * mail of a Space to find one thread of it.
 */
export async function analyzeMail(db: Queryable): Promise<void> {
  await db.query('analyze mail_threads, mail_messages, mail_references, mail_locations, mail_imported_places')
}
