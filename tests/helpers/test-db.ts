import { readFile } from 'node:fs/promises'
import { createRequire } from 'node:module'
import { dirname, join } from 'node:path'
import pg from 'pg'
import { inject } from 'vitest'
import { startEngine } from '../../lib/db/pglite/engine.ts'
import { type Database, type DatabaseOptions, openDatabase } from '../../lib/db/pool.ts'
import { directUrlOf } from './direct-url.ts'
import { readStore, resetStore, type StoreState } from './reset-store.ts'
import { whenOver } from './when-over.ts'

/**
 * A migrated, empty database of this test's own, or of this file's where no test is running, and gone with it: a clone of
 * the run's template, in PGlite or, with TEST_DATABASE_URL, on that Postgres server.
 */
export async function testDb(): Promise<Database> {
  const store = (await takeFree()) ?? (await makeStore())
  const database = await openDatabase(store.options)

  whenOver(async () => {
    await database.close()
    free.push(store)
  })
  return database
}

/** A clone of the template, and how it was when it was made. `remove` is for one that is of no more use. */
type Store = { options: DatabaseOptions; state: StoreState; remove: () => Promise<void> }

/** Those that nobody uses: to make one takes longer than most tests. */
const free: Store[] = []

async function takeFree(): Promise<Store | null> {
  for (let store = free.pop(); store; store = free.pop()) {
    const { options, state, remove } = store
    try {
      await withStore(options, (database) => resetStore(database, state))
      return store
    } catch {
      await remove()
    }
  }
  return null
}

async function makeStore(): Promise<Store> {
  const postgres = inject('postgresTemplate')
  const { options, remove } = await (postgres ? clonePostgres(postgres) : openPglite())
  return { options, remove, state: await withStore(options, readStore) }
}

async function withStore<Result>(
  options: DatabaseOptions,
  work: (database: Database) => Promise<Result>,
): Promise<Result> {
  // A pooler might give each statement another session.
  const database = await openDatabase({
    ...options,
    url: options.directUrl ?? options.url,
    maxConnections: 1,
  })
  try {
    return await work(database)
  } finally {
    await database.close()
  }
}

async function openPglite() {
  code ??= compilePglite()
  const engine = await startEngine({ dump: inject('pgliteTemplate'), code: await code })
  return { options: { engine }, remove: () => engine.close() }
}

/** Most of what opening one takes, so it is done once for all of this process. */
let code: Promise<WebAssembly.Module> | undefined

async function compilePglite(): Promise<WebAssembly.Module> {
  const module = createRequire(import.meta.url).resolve('@electric-sql/pglite')
  // The types of Node do not know it.
  const { compile } = Reflect.get(globalThis, 'WebAssembly')
  return await compile(await readFile(join(dirname(module), 'pglite.wasm')))
}

let clones = 0

async function clonePostgres({ url, name }: { url: string; name: string }) {
  const clone = `${name}_${process.pid}_${++clones}`
  await runAlone(url, `create database ${clone} template ${name}`)
  const target = new URL(url)
  target.pathname = `/${clone}`
  return {
    options: { url: target.href, directUrl: directUrlOf(target.href) },
    remove: () => runAlone(url, `drop database if exists ${clone} with (force)`),
  }
}

async function runAlone(url: string, statement: string): Promise<void> {
  const client = new pg.Client({ connectionString: url })
  await client.connect()
  try {
    await client.query(statement)
  } finally {
    await client.end()
  }
}
