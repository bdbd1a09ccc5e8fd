import { readFile } from 'node:fs/promises'
import { createRequire } from 'node:module'
import { dirname, join } from 'node:path'
import pg from 'pg'
import { inject } from 'vitest'
import { type Engine, startEngine } from '../../lib/db/pglite/engine.ts'
import { type Database, openDatabase } from '../../lib/db/pool.ts'
import { directUrlOf } from './direct-url.ts'
import { readStore, resetStore, type StoreState } from './reset-store.ts'
import { whenOver } from './when-over.ts'

let clones = 0

/**
 * A migrated, empty database of this test's own, or of this file's where no test is running, and gone with it: a clone of
 * the run's template, in PGlite or, with TEST_DATABASE_URL, on that Postgres server.
 */
export async function testDb(): Promise<Database> {
  const postgres = inject('postgresTemplate')
  const { database, drop } = postgres ? await clonePostgres(postgres) : await clonePglite()

  whenOver(async () => {
    await database.close()
    await drop()
  })
  return database
}

/** A store in memory, and how it was when it was opened. */
type Store = { engine: Engine; state: StoreState }

/** Those that no file uses: to open one takes longer than most files. */
const free: Store[] = []

async function clonePglite() {
  const store = (await takeFree()) ?? (await openStore())
  const database = await openDatabase({ engine: store.engine })
  return { database, drop: async () => void free.push(store) }
}

async function openStore(): Promise<Store> {
  code ??= compilePglite()
  const engine = await startEngine({ dump: inject('pgliteTemplate'), code: await code })
  return { engine, state: await withStore(engine, readStore) }
}

async function takeFree(): Promise<Store | null> {
  for (let store = free.pop(); store; store = free.pop()) {
    const { engine, state } = store
    try {
      await withStore(engine, (database) => resetStore(database, state))
      return store
    } catch {
      await engine.close()
    }
  }
  return null
}

async function withStore<Result>(
  engine: Engine,
  work: (database: Database) => Promise<Result>,
): Promise<Result> {
  const database = await openDatabase({ engine })
  try {
    return await work(database)
  } finally {
    await database.close()
  }
}

/** Most of what opening one takes, so it is done once for all of this process. */
let code: Promise<WebAssembly.Module> | undefined

async function compilePglite(): Promise<WebAssembly.Module> {
  const module = createRequire(import.meta.url).resolve('@electric-sql/pglite')
  // The types of Node do not know it.
  const { compile } = Reflect.get(globalThis, 'WebAssembly')
  return await compile(await readFile(join(dirname(module), 'pglite.wasm')))
}

async function clonePostgres({ url, name }: { url: string; name: string }) {
  const clone = `${name}_${process.pid}_${++clones}`
  await runAlone(url, `create database ${clone} template ${name}`)
  const target = new URL(url)
  target.pathname = `/${clone}`
  return {
    database: await openDatabase({ url: target.href, directUrl: directUrlOf(target.href) }),
    drop: () => runAlone(url, `drop database if exists ${clone} with (force)`),
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
