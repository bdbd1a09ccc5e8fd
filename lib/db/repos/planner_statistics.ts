import type { Queryable } from '../pool.ts'

/** What imports and mail fill. Passages have statistics of their own (`vacuumChunks`). */
const filledTables = [
  ...['pages', 'tasks', 'projects', 'refs', 'resources', 'source_docs'],
  ...['entity_names', 'links', 'import_files'],
  ...['mail_threads', 'mail_messages', 'mail_references', 'mail_locations', 'mail_imported_places'],
]

/**
 * Renews the planner's statistics after much has come in. PGlite has no autovacuum, and a prepared statement keeps the plan
 * that was made while its tables were small, which reads them from end to end, until their statistics change. A table that
 * is still empty is left out: it would be taken for empty from then on.
 */
export async function analyzeFilledTables(db: Queryable): Promise<void> {
  const { rows } = await db.query<{ name: string }>(
    `select oid::regclass::text as name
     from pg_class
     where oid = any($1::regclass[]) and pg_relation_size(oid) > 0`,
    [filledTables],
  )
  if (rows.length > 0) await db.query(`analyze ${rows.map(({ name }) => name).join(', ')}`)
}
