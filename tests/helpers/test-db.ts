import { readFile } from 'node:fs/promises'
import { createRequire } from 'node:module'
import { dirname, join } from 'node:path'
import pg from 'pg'
import { afterAll, inject } from 'vitest'
import { type Database, openDatabase } from '../../lib/db/pool.ts'
import { directUrlOf } from './direct-url.ts'

let clones = 0

/**
 * A migrated, empty database of this test file's own, gone when the file ends: a clone of the run's template, in
 * PGlite or, with TEST_DATABASE_URL, on that Postgres server.
 */
export async function testDb(): Promise<Database> {
  const postgres = inject('postgresTemplate')
  const { database, drop } = postgres ? await clonePostgres(postgres) : await clonePglite()

  afterAll(async () => {
    await database.close()
    await drop()
  })
  return database
}

async function clonePglite() {
  code ??= compilePglite()
  const database = await openDatabase({ dump: inject('pgliteTemplate'), code: await code })
  return { database, drop: async () => {} }
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
