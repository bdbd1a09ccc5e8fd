// Brings a migrated store back to how it was when it was opened: a tenth of what opening another one takes.

import pg from 'pg'
import type { Database, Queryable } from '../../lib/db/pool.ts'

export type StoreState = {
  schema: string
  /** Of each table that has any, its rows as JSON. */
  rows: { table: string; columns: string; rows: string }[]
  sequences: { name: string; value: string; called: boolean }[]
}

/** What is to be brought back later. */
export async function readStore(database: Queryable): Promise<StoreState> {
  const rows: StoreState['rows'] = []
  for (const { table, columns } of await listTables(database)) {
    const { rows: found } = await database.query<{ rows: string | null }>(
      `select json_agg(t)::text as rows from ${table} t`,
    )
    if (found[0]?.rows) rows.push({ table, columns, rows: found[0].rows })
  }
  const { rows: sequences } = await database.query<StoreState['sequences'][number]>(
    `select format('%I.%I', schemaname, sequencename) as name,
            coalesce(last_value, start_value)::text as value, last_value is not null as called
     from pg_sequences
     order by name`,
  )
  return { schema: await readSchema(database), rows, sequences }
}

/** Rejects where tables, functions or settings are not what they were: such a store is of no use to another test. */
export async function resetStore(database: Database, state: StoreState): Promise<void> {
  // What still runs for the test before.
  await database.query(
    'select pg_terminate_backend(pid) from pg_stat_activity where datname = current_database() and pid <> pg_backend_pid()',
  )
  await database.query('discard all')
  if ((await readSchema(database)) !== state.schema) throw new Error('the schema was changed')
  await restoreStore(database, state)
  await database.query('delete from pg_statistic')
  await database.query('discard all')
  // The log of writes is kept in memory until then.
  if (database.engine === 'pglite') await database.query('checkpoint')
}

/** The rows and sequences as they were, as one transaction; also of a store that is in use. */
export async function restoreStore(database: Database, state: StoreState): Promise<void> {
  const tables = await listTables(database)
  const used = tables.filter(({ bytes }) => bytes > 0).map(({ table }) => table)
  // Triggers of the audit log and of drafts refuse to lose rows, some of them always.
  const always = tables.flatMap(({ table, triggers }) => triggers.map((trigger) => ({ table, trigger })))
  const statements = [
    "set local session_replication_role = 'replica'",
    ...always.map(({ table, trigger }) => `alter table ${table} disable trigger ${trigger}`),
    ...(used.length > 0 ? [`truncate ${used.join(', ')} restart identity cascade`] : []),
    ...state.rows.map(
      ({ table, columns, rows }) =>
        `insert into ${table} (${columns}) overriding system value
         select ${columns} from json_populate_recordset(null::${table}, ${pg.escapeLiteral(rows)})`,
    ),
    ...state.sequences.map(
      ({ name, value, called }) => `select setval(${pg.escapeLiteral(name)}, ${value}, ${called})`,
    ),
    ...always.map(({ table, trigger }) => `alter table ${table} enable always trigger ${trigger}`),
  ]
  await database.transaction((tx) => tx.query(statements.join(';\n')))
}

async function listTables(database: Queryable) {
  const { rows } = await database.query<{
    table: string
    columns: string
    bytes: number
    triggers: string[]
  }>(
    `select format('%I.%I', n.nspname, c.relname) as table, pg_relation_size(c.oid)::int as bytes,
            array(select quote_ident(t.tgname) from pg_trigger t where t.tgrelid = c.oid and t.tgenabled = 'A') as triggers,
            (select string_agg(quote_ident(a.attname), ', ' order by a.attnum)
             from pg_attribute a
             where a.attrelid = c.oid and a.attnum > 0 and not a.attisdropped and a.attgenerated = '') as columns
     from pg_class c
     join pg_namespace n on n.oid = c.relnamespace
     where c.relkind = 'r' and n.nspname not in ('pg_catalog', 'information_schema')
     order by 1`,
  )
  return rows
}

/** A hash of the definitions that a test might change. */
async function readSchema(database: Queryable): Promise<string> {
  const { rows } = await database.query<{ hash: string }>(
    `select md5(concat(
       (select string_agg(concat_ws(' ', oid, relname, relkind, reloptions::text, relchecks, reltriggers), ',' order by oid)
        from (select c.*, (select string_agg(concat(tgname, tgenabled), ',' order by tgname)
                           from pg_trigger where tgrelid = c.oid) as reltriggers
              from pg_class c where c.oid >= 16384 and c.relpersistence = 'p') c),
       (select string_agg(concat_ws(' ', attrelid, attname, atttypid, attnotnull, attisdropped), ','
                          order by attrelid, attnum)
        from pg_attribute where attrelid >= 16384),
       (select string_agg(concat_ws(' ', oid, md5(prosrc)), ',' order by oid) from pg_proc where oid >= 16384),
       (select string_agg(concat_ws(' ', oid, convalidated, md5(conbin)), ',' order by oid)
        from pg_constraint where oid >= 16384),
       (select string_agg(concat_ws(' ', setdatabase, setrole, setconfig), ',') from pg_db_role_setting),
       (select string_agg(rolname, ',' order by rolname) from pg_roles)
     )) as hash`,
  )
  return rows[0]!.hash
}
