// What Postgres plans with. PGlite has no autovacuum, and a prepared statement keeps the plan that was made while its tables
// were small, which reads them from end to end, until their statistics change. Passages have their own (`vacuumChunks`).

import type { Queryable } from '../pool.ts'

/** What imports and mail fill. */
const filledTables = [
  ...['pages', 'tasks', 'projects', 'refs', 'resources', 'source_docs'],
  ...['entity_names', 'links', 'import_files'],
  ...['mail_threads', 'mail_messages', 'mail_references', 'mail_locations', 'mail_imported_places'],
]

/** Renews the statistics of what imports and mail fill, after much has come in. */
export const analyzeFilledTables = (db: Queryable): Promise<void> => analyze(db, filledTables)

/** Renews the statistics of everything, which on PGlite nothing else does. */
export const analyzeAllTables = (db: Queryable): Promise<void> => analyze(db, null)

/** An empty table is left out: it would be taken for empty from then on. */
async function analyze(db: Queryable, tables: readonly string[] | null): Promise<void> {
  const { rows } = await db.query<{ name: string }>(
    `select quote_ident(relname) as name
     from pg_class
     where relnamespace = 'public'::regnamespace and relkind = 'r' and pg_relation_size(oid) > 0
       and relname <> 'chunks' and ($1::text[] is null or relname = any($1))`,
    [tables],
  )
  if (rows.length > 0) await db.query(`analyze ${rows.map(({ name }) => name).join(', ')}`)
}
