// Whether Postgres should vacuum the tables of Void more often than it does by itself: what turns and edits leave
// behind in a store that is large already, on clusters of the measurement's own (TEST_POSTGRES_BIN). Autovacuum looks
// every two seconds instead of every minute, as the work of hours is done in a minute.

import pg from 'pg'
import { createCluster, findPostgres } from '../../helpers/clusters.ts'
import { startChildServer } from './child-server.ts'
import { fillStore } from './fill-store.ts'
import type { Figure, Measurement } from './measurement.ts'
import { type Prepared, prepareStore, send } from './prepare-store.ts'
import { readTurn } from './read-turn.ts'
import { makeDataFolder, post, startVoid } from './spaces.ts'
import { percentile } from './statistics.ts'

const size = Number(process.env.BENCH_SIZES ?? 100_000)
const clients = 4
const roundsOfClient = 400
const turnsPerEdit = 2

const often = ['vacuum_scale_factor', 'vacuum_insert_scale_factor', 'analyze_scale_factor']
const layouts: Record<string, string[]> = {
  'as Postgres has it': [],
  'at a fiftieth': often.map((name) => `autovacuum_${name} = 0.02`),
  never: ['autovacuum = off'],
}

export const autovacuum: Measurement = {
  name: 'autovacuum',
  about: `what ${clients * roundsOfClient} turns and half as many edits leave behind at ${size} passages and messages, as Postgres vacuums by itself and more often; needs the programs of a Postgres`,
  async run(log) {
    const programs = findPostgres()
    if (!programs) {
      log('TEST_POSTGRES_BIN names no Postgres: left out')
      return []
    }
    const measured = new Map<string, Values>()
    for (const [name, settings] of Object.entries(layouts)) {
      log(name)
      const cluster = await createCluster(programs, [
        'autovacuum_naptime = 2s',
        'shared_buffers = 256MB',
        ...settings,
      ])
      try {
        await cluster.start()
        measured.set(name, await measure(cluster.url, log))
      } finally {
        cluster.remove()
      }
    }
    return compare(measured)
  },
}

type Values = Record<string, { value: number; unit: Figure['unit'] }>

function compare(measured: Map<string, Values>): Figure[] {
  const [[, first = {}] = [], ...others] = [...measured]
  return Object.entries(first).map(([name, { value, unit }]) => ({
    ...{ name, value, unit },
    others: Object.fromEntries(others.map(([other, values]) => [other, values[name]?.value ?? 0])),
  }))
}

async function measure(databaseUrl: string, log: (message: string) => void): Promise<Values> {
  const data = makeDataFolder()
  const model = await startChildServer(new URL('./fake-model.ts', import.meta.url))
  const open = () => startVoid(data.folder, model.url, { DATABASE_URL: databaseUrl })
  const db = new pg.Client({ connectionString: databaseUrl })
  await db.connect()
  try {
    const prepared = await prepareStore(await open(), () => {})
    await fillStore(databaseUrl, prepared.spaces, { from: 0, to: size })
    await db.query('select pg_stat_reset()')
    const before = await bytesOf(db)
    // Any of them, so that the rows that change lie everywhere.
    const { rows: pages } = await db.query<{ id: string }>(
      'select id from pages where space_id = $1 and version = 1 order by md5(id::text) limit $2',
      [prepared.spaces.large, (clients * roundsOfClient) / turnsPerEdit],
    )
    const server = await open()
    log('turns and edits')
    const work = changeThings(server.url, prepared.spaces.large, pages)
    const times = await work.finally(() => server.stop())
    return { ...times, ...(await whatIsLeft(db, prepared, before)) }
  } finally {
    await db.end()
    await model.stop()
    data.remove()
  }
}

async function changeThings(url: string, large: string, pages: { id: string }[]): Promise<Values> {
  const turns: number[] = []
  const oneClient = async () => {
    const { id: conversation_id } = await post(`${url}/api/spaces/${large}/conversations`, {})
    for (let round = 0; round < roundsOfClient; round += 1) {
      const said = { text: 'plain: hello', conversation_id }
      turns.push((await readTurn(`${url}/api/spaces/${large}/companion/turn`, said)).total)
      const page = round % turnsPerEdit === 0 ? pages.pop() : undefined
      if (page) await send(`${url}/api/pages/${page.id}`, 'PATCH', { version: 1, body: `Entry ${round}.` })
    }
  }
  await Promise.all(Array.from({ length: clients }, oneClient))
  const last = turns.slice(-turns.length / 4)
  return {
    'a turn, p50 of the last quarter': { value: percentile(last, 0.5), unit: 'ms' },
    'a turn, p95 of the last quarter': { value: percentile(last, 0.95), unit: 'ms' },
  }
}

async function whatIsLeft(db: pg.Client, { spaces }: Prepared, before: number): Promise<Values> {
  const { rows: all } = await db.query<{ dead: number; runs: number }>(
    'select sum(n_dead_tup)::integer as dead, sum(autovacuum_count)::integer as runs from pg_stat_user_tables',
  )
  const { dead, runs } = all[0]!
  const { rows: plans } = await db.query<{ 'QUERY PLAN': [{ Plan: unknown }] }>(
    `explain (analyze, format json)
     select count(*) from pages where space_id = '${spaces.large}' and deleted_at is null`,
  )
  const fetches = /"Heap Fetches":(\d+)/.exec(JSON.stringify(plans[0]?.['QUERY PLAN']))?.[1] ?? 0
  return {
    'growth of the store': { value: ((await bytesOf(db)) - before) / 1e6, unit: 'MB' },
    'dead rows': { value: dead, unit: 'rows' },
    'rows fetched to count the pages': { value: Number(fetches), unit: 'rows' },
    'runs of autovacuum': { value: runs, unit: 'runs' },
  }
}

async function bytesOf(db: pg.Client): Promise<number> {
  const { rows } = await db.query<{ bytes: string }>('select pg_database_size(current_database()) as bytes')
  return Number(rows[0]!.bytes)
}
