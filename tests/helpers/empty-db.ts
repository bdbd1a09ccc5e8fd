import pg from 'pg'
import { inject } from 'vitest'
import { startEngine } from '../../lib/db/pglite/engine.ts'
import { type Database, openDatabase } from '../../lib/db/pool.ts'
import { whenOver } from './when-over.ts'

let made = 0

/** A database without any tables, in memory or on the server that TEST_DATABASE_URL names, for one test or test file. */
export async function emptyDb(): Promise<Database> {
  const { options, remove } = await (inject('postgresTemplate') ? createPostgres() : createPglite())
  const database = await openDatabase(options)
  whenOver(async () => {
    await database.close()
    await remove()
  })
  return database
}

async function createPglite() {
  const engine = await startEngine({})
  return { options: { engine }, remove: () => engine.close() }
}

async function createPostgres() {
  const url = new URL(inject('postgresTemplate')!.url)
  const name = `void_empty_${process.pid}_${++made}`
  const admin = new pg.Client({ connectionString: url.href })
  await admin.connect()
  await admin.query(`create database ${name}`)
  url.pathname = `/${name}`
  const remove = async () => {
    await admin.query(`drop database ${name} with (force)`)
    await admin.end()
  }
  return { options: { url: url.href }, remove }
}
