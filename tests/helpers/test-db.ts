import { openAsBlob } from 'node:fs'
import { PGlite } from '@electric-sql/pglite'
import { vector } from '@electric-sql/pglite-pgvector'
import pg from 'pg'
import { afterAll, inject } from 'vitest'
import { type Database, openDatabase } from '../../lib/db/pool.ts'

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
  const template = inject('pgliteTemplate')
  if (!template)
    throw new Error('no template database: is tests/helpers/global-setup.ts in vitest.config.ts?')
  const pglite = await PGlite.create({
    dataDir: 'memory://',
    loadDataDir: await openAsBlob(template),
    extensions: { vector },
  })
  return { database: await openDatabase({ pglite }), drop: async () => {} }
}

async function clonePostgres({ url, name }: { url: string; name: string }) {
  const clone = `${name}_${process.pid}_${++clones}`
  await runAlone(url, `create database ${clone} template ${name}`)
  const target = new URL(url)
  target.pathname = `/${clone}`
  return {
    database: await openDatabase({ url: target.href }),
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
