import type { Queryable } from '../../lib/db/pool.ts'

const inPublic = "= 'public'::regnamespace"

/** What makes up a schema but the order of its columns, an object each row. */
const queries = [
  'select extname as line from pg_extension',
  `select format('%s %s %s %s', relkind, relname, reloptions, relpersistence) as line
   from pg_class
   where relnamespace ${inPublic} and relkind in ('r', 'v', 'm', 'S', 'p')`,
  `select format('view %s: %s', viewname, definition) as line from pg_views where schemaname = 'public'`,
  `select format('%s.%s %s %s default %s identity %s generated %s storage %s%s',
            c.relname, a.attname, format_type(a.atttypid, a.atttypmod), a.attnotnull,
            pg_get_expr(d.adbin, d.adrelid), a.attidentity, a.attgenerated, a.attstorage, a.attcompression) as line
   from pg_attribute a
   join pg_class c on c.oid = a.attrelid and c.relnamespace ${inPublic} and c.relkind in ('r', 'v', 'm', 'p')
   left join pg_attrdef d on d.adrelid = a.attrelid and d.adnum = a.attnum
   where a.attnum > 0 and not a.attisdropped`,
  // Not null is a constraint with a name on Postgres 18 alone.
  `select format('%s constraint %s %s', conrelid::regclass, conname, pg_get_constraintdef(oid)) as line
   from pg_constraint
   where connamespace ${inPublic} and contype <> 'n'`,
  `select format('%s %s %s', pg_get_indexdef(i.indexrelid), c.reloptions, i.indisvalid) as line
   from pg_index i
   join pg_class c on c.oid = i.indexrelid and c.relnamespace ${inPublic}`,
  `select pg_get_functiondef(p.oid) as line
   from pg_proc p
   where p.pronamespace ${inPublic} and p.prokind in ('f', 'p')
     and not exists (select from pg_depend where objid = p.oid and deptype = 'e')`,
  `select format('%s %s', pg_get_triggerdef(oid), tgenabled) as line from pg_trigger where not tgisinternal`,
  `select format('type %s', typname) as line
   from pg_type
   where typnamespace ${inPublic} and typtype in ('d', 'e', 'r')`,
]

/** The schema of a database: two that are equal were made by migrations that come to the same. */
export async function readCatalog(db: Queryable): Promise<string[]> {
  const lines: string[] = []
  for (const query of queries) {
    const { rows } = await db.query<{ line: string }>(query)
    lines.push(...rows.map(({ line }) => line).sort())
  }
  return lines
}
