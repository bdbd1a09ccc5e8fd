// What partitions of the audit log would cost and save: docs/decisions/0017-the-audit-log-is-one-table.md. Each layout is
// a copy in a schema of its own, which Void's own statements read.

import { migrate } from '../../../lib/db/migrate.ts'
import { type Database, openDatabase, type Queryable } from '../../../lib/db/pool.ts'
import { createAuditRepo } from '../../../lib/db/repos/audit.ts'
import { createAuditChainRepo } from '../../../lib/db/repos/audit_chain.ts'
import { createAuditOfDraftsRepo } from '../../../lib/db/repos/decisions.ts'
import { createDeliveredOutcomesRepo } from '../../../lib/db/repos/delivered_outcomes.ts'
import { createHistoryRepo } from '../../../lib/db/repos/history.ts'
import { explained } from '../../helpers/explained.ts'
import { freshPostgres } from './fresh-postgres.ts'
import type { Figure, Measurement } from './measurement.ts'

const rows = Number(process.env.AUDIT_ROWS ?? 180_000)
const years = 3
const rounds = 20
const written = 2000
const inboxLines = 50

type Layout = { schema: string; months: number | null; emptyYears: number }
/** `months` of a partition; `emptyYears` of partitions before the first row, since a log that is kept gets older. */
const layouts: Record<string, Layout> = {
  'one table': { schema: 'one_table', months: null, emptyYears: 0 },
  'by year': { schema: 'by_year', months: 12, emptyYears: 0 },
  'by month': { schema: 'by_month', months: 1, emptyYears: 0 },
  'ten years': { schema: 'ten_years', months: 1, emptyYears: 7 },
}

export const auditPartitions: Measurement = {
  name: 'audit-partitions',
  about: `planning and execution of what is asked of an audit log of ${rows} rows in ${years} years, in partitions and not; on the Postgres of BENCH_DATABASE_URL alone`,
  async run(log) {
    const server = process.env.BENCH_DATABASE_URL
    if (!server) {
      log('BENCH_DATABASE_URL is not set: left out')
      return []
    }
    const fresh = await freshPostgres(server)
    try {
      await fill(fresh.url, log)
      const measured = new Map<string, Values>()
      for (const [name, layout] of Object.entries(layouts)) {
        log(name)
        measured.set(name, await measure(fresh.url, layout))
      }
      return compare(measured)
    } finally {
      await fresh.drop()
    }
  },
}

type Values = Record<string, { value: number; unit: Figure['unit'] }>

function compare(measured: Map<string, Values>): Figure[] {
  const [[, first = {}] = [], ...others] = [...measured]
  return Object.entries(first).map(([name, { value, unit }]) => ({
    name,
    value,
    unit,
    baseline: value,
    others: Object.fromEntries(others.map(([layout, values]) => [layout, values[name]?.value ?? Number.NaN])),
  }))
}

async function fill(url: string, log: (message: string) => void): Promise<void> {
  const database = await openDatabase({ url, maxConnections: 1 })
  try {
    await migrate(database)
    await database.query('set synchronous_commit = off')
    await database.query('create schema made')
    await database.query(madeRows)
    for (const [name, layout] of Object.entries(layouts)) {
      log(`filling: ${name}`)
      await createLayout(database, layout)
    }
  } finally {
    await database.close()
  }
}

// Ids are ordered by time, as Void's are. A page is changed ten times within a tenth of the time, and one in a hundred
// changes is of one of twenty pages that are always in use.
const madeRows = `
  create table made.log as
  select n as seq, timestamptz '2024-01-01' + n * (interval '${365 * years - 2} days' / ${rows}) as at,
    md5('space')::uuid as space_id, case when n % 4 = 0 then 'agent:companion' else 'owner' end as actor,
    'update' as action, 'page' as entity_type, (lpad(to_hex(case when n % 100 = 0 then n / 100 % 20
      else n / (${rows} / 10) * (${rows} / 10) + n % (${rows} / 100) end + 1000), 12, '0')
      || '7000800000000000000' || '0')::uuid as entity_id, (n / (${rows} / 100))::integer as version,
    '{"body":"' || repeat('The lamp turns. ', 12) || '"}' as before,
    '{"body":"' || repeat('The lamp turns. ', 12) || n || '"}' as after,
    case when n % 5 = 0 then md5('draft' || n)::uuid end as pending_change_id,
    md5('a' || n) || md5('b' || n) as previous_hash, md5('c' || n) || md5('d' || n) as hash,
    case when n % 40 = 1 and n > ${rows} / 100 then n - ${rows} / 100 end as undoes, null::bigint as undoes_since
  from generate_series(1, ${rows}) as n`
const columns =
  'seq, at, space_id, actor, action, entity_type, entity_id, version, before, after, pending_change_id, previous_hash, hash, undoes, undoes_since'

async function createLayout(db: Queryable, { schema, months, emptyYears }: Layout): Promise<void> {
  const table = `${schema}.audit_log`
  await db.query(`create schema ${schema}`)
  await db.query(
    `create table ${table} (like public.audit_log including defaults) ${months ? 'partition by range (at)' : ''}`,
  )
  const begin = 2024 - emptyYears
  for (let month = 0; months && month < (2024 + years - begin) * 12; month += months) {
    const start = (of: number) => new Date(Date.UTC(begin, of, 1)).toISOString()
    await db.query(
      `create table ${schema}.part_${month} partition of ${table} for values from ('${start(month)}') to ('${start(month + months)}')`,
    )
  }
  await db.query(`insert into ${table} (${columns}) select ${columns} from made.log`)
  const { rows: indexes } = await db.query<{ indexdef: string }>(
    "select indexdef from pg_indexes where schemaname = 'public' and tablename = 'audit_log'",
  )
  for (const { indexdef } of indexes) {
    // What is unique in a table of partitions includes what they are made by.
    const own = indexdef.replace(' ON public.', ` ON ${schema}.`)
    await db.query(months ? own.replace('(seq)', '(seq, at)') : own)
  }
  await db.query(`vacuum analyze ${table}`)
}

type Plan = { 'Planning Time': number; 'Execution Time': number; Plan: { 'WAL Bytes': number } }

async function measure(url: string, { schema }: Layout): Promise<Values> {
  const target = new URL(url)
  target.searchParams.set('options', `-c search_path=${schema},public`)
  const database = await openDatabase({ url: target.href, maxConnections: 1 })
  const plans: Plan[] = []
  const planned = explained<Plan>(database, 'analyze, wal', (plan) => plans.push(plan))
  const values: Values = {}
  try {
    await database.query('select 1')
    const started = performance.now()
    await database.query('select seq from audit_log order by seq desc limit 1')
    values['the first statement of a connection'] = { value: performance.now() - started, unit: 'ms' }
    for (const [name, ask] of Object.entries(await statements(planned, database))) {
      const times: number[] = []
      for (let round = 0; round < rounds; round += 1) {
        plans.length = 0
        await ask()
        times.push(plans.reduce((sum, plan) => sum + plan['Planning Time'] + plan['Execution Time'], 0))
      }
      values[name] = { value: Math.min(...times), unit: 'ms' }
    }
    return {
      ...values,
      ...(await measureConnection(database)),
      ...(await measureWrites(database, planned, plans)),
    }
  } finally {
    await database.close()
  }
}

async function statements(planned: Queryable, database: Database): Promise<Record<string, () => unknown>> {
  const { rows: found } = await database.query<{
    seq: number
    space_id: string
    entity_id: string
    id: string
  }>(
    `select seq, space_id, entity_id, pending_change_id as id
     from made.log
     where pending_change_id is not null and seq % 100 <> 0 and seq > ${rows} / 2
     order by hash
     limit ${inboxLines}`,
  )
  const { seq, space_id, entity_id, id } = found[0]!
  const audit = createAuditRepo(planned)
  const ofDrafts = createAuditOfDraftsRepo(planned)
  const chain = createAuditChainRepo(planned)
  const outcomes = createDeliveredOutcomesRepo(planned)
  const later = found.map((row) => ({ ...row, entity_type: 'page', version: 1 }))
  return {
    'the last row': () => planned.query('select seq from audit_log order by seq desc limit 1'),
    'a row by its number': () => audit.listRun(seq, null),
    'the history of a page': () =>
      createHistoryRepo(planned).list({ space_id, entity_id, before_seq: null, limit: 50 }),
    'its undos': () => audit.listUndos(entity_id),
    'what came of a draft': () => audit.findOfChange(space_id, id),
    'what is new of drafts, in each turn': () => outcomes.listUndelivered(id, id),
    'the Inbox: what was applied': () => ofDrafts.listApplied(found, { after: true }),
    'the Inbox: what was undone': () => ofDrafts.listUndosByEntity(found.map((row) => row.entity_id)),
    'the Inbox: what happened since': () => ofDrafts.listAfterVersions(later, 5),
    'the log of a Space': () => audit.list({ space_id, entity_id: null, before_seq: null, limit: 50 }),
    'verifying 500 rows': () => chain.list(seq, 500),
  }
}

/** Locks that a statement takes, and what the connection remembers of tables and indexes by now. */
async function measureConnection(database: Database): Promise<Values> {
  const locks = await database.transaction(async (tx) => {
    await tx.query("select from audit_log where entity_id = md5('page')::uuid")
    const { rows: held } = await tx.query<{ count: number }>(
      "select count(*)::integer as count from pg_locks where pid = pg_backend_pid() and locktype = 'relation'",
    )
    return held[0]!.count
  })
  const { rows: caches } = await database.query<{ kb: number }>(
    `select sum(total_bytes)::integer / 1024 as kb
     from pg_backend_memory_contexts
     where name = 'CacheMemoryContext' or parent = 'CacheMemoryContext'`,
  )
  return {
    'locks of a statement': { value: locks, unit: 'locks' },
    'memory of a connection for the catalog': { value: caches[0]!.kb, unit: 'kB' },
  }
}

/** A row is for a page made now, or for one of any age. */
async function measureWrites(database: Database, planned: Queryable, plans: Plan[]): Promise<Values> {
  await database.query('checkpoint')
  plans.length = 0
  await planned.query(
    `insert into audit_log (${columns})
     select ${rows} + row_number() over (order by hash), timestamptz '2026-12-20', space_id, actor, action, entity_type,
       case when seq % 2 = 0 then entity_id else ('ffffffff' || substr(entity_id::text, 9))::uuid end, version, before,
       after, pending_change_id, previous_hash, hash, undoes, undoes_since
     from (select * from made.log where seq % (${rows} / ${written}) = 1 or seq % (${rows} / ${written}) = 2) as of_any_age
     limit ${written}`,
  )
  return {
    [`log of ${written} rows written after a checkpoint`]: {
      value: plans[0]!.Plan['WAL Bytes'] / 1024,
      unit: 'kB',
    },
  }
}
