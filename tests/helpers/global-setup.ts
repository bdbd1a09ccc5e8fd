// Makes one migrated database for the whole run; each test file clones it. PGlite: a dump of its data folder in a
// temporary file, from which data folders are made too. Postgres (TEST_DATABASE_URL): a template database beside the
// one that the URL names.

import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as wait } from 'node:timers/promises'
import { PGlite } from '@electric-sql/pglite'
import { vector } from '@electric-sql/pglite-pgvector'
import pg from 'pg'
import type { TestProject } from 'vitest/node'
import { migrate } from '../../lib/db/migrate.ts'
import { openDatabase } from '../../lib/db/pool.ts'

declare module 'vitest' {
  interface ProvidedContext {
    pgliteTemplate: string
    postgresTemplate: { url: string; name: string } | null
  }
}

export default async function setup(project: TestProject): Promise<() => Promise<void>> {
  const url = process.env.TEST_DATABASE_URL
  const removeDump = await dumpPglite(project)
  const dropTemplate = url ? await setupPostgres(project, url) : null
  if (!url) project.provide('postgresTemplate', null)

  return async () => {
    await removeDump()
    await dropTemplate?.()
  }
}

async function dumpPglite(project: TestProject) {
  const folder = await mkdtemp(join(tmpdir(), 'void-template-'))
  const store = join(folder, 'store')
  const database = await openDatabase({ folder: store })
  await migrate(database)
  // What every clone would pay for: buffers to fill with zeros, and Postgres's own templates, half of the files, though
  // no store makes a second database.
  await database.query("alter system set shared_buffers = '16MB'")
  await database.query("update pg_database set datistemplate = false where datname like 'template_'")
  await database.query('drop database template0')
  await database.query('drop database template1')
  await database.close()
  const file = join(folder, 'template.tar')
  await writeFile(file, await dumpStore(store))
  project.provide('pgliteTemplate', file)

  return () => rm(folder, { recursive: true })
}

async function dumpStore(dataDir: string): Promise<Buffer> {
  const pglite = await PGlite.create({ dataDir, extensions: { vector } })
  const dump = await pglite.dumpDataDir('none')
  await pglite.close()
  return Buffer.from(await dump.arrayBuffer())
}

async function setupPostgres(project: TestProject, url: string) {
  const name = `void_template_${process.pid}`
  const admin = new pg.Client({ connectionString: url })
  await admin.connect()
  await admin.query(`create database ${name}`)
  const database = await openDatabase({ url: withDatabase(url, name) })
  await migrate(database)
  await database.close()
  await untilUnused(admin, name)
  project.provide('postgresTemplate', { url, name })

  return async () => {
    const { rows } = await admin.query<{ datname: string }>(
      'select datname from pg_database where starts_with(datname, $1)',
      [name],
    )
    for (const { datname } of rows) await admin.query(`drop database if exists ${datname} with (force)`)
    await admin.end()
  }
}

/** A pooler keeps connections for a while, and only a database without any can be cloned. */
async function untilUnused(admin: pg.Client, name: string): Promise<void> {
  const isUsed = async () => {
    const { rows } = await admin.query('select from pg_stat_activity where datname = $1 limit 1', [name])
    return rows.length > 0
  }
  while (await isUsed()) await wait(100)
}

function withDatabase(url: string, name: string): string {
  const changed = new URL(url)
  changed.pathname = `/${name}`
  return changed.href
}
