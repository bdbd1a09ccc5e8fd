// Makes one migrated database for the whole run; each test file clones it. PGlite: a dump of its data folder in a
// temporary file. Postgres (TEST_DATABASE_URL): a template database beside the one that the URL names.

import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { PGlite } from '@electric-sql/pglite'
import { vector } from '@electric-sql/pglite-pgvector'
import pg from 'pg'
import type { TestProject } from 'vitest/node'
import { migrate } from '../../lib/db/migrate.ts'
import { openDatabase } from '../../lib/db/pool.ts'

declare module 'vitest' {
  interface ProvidedContext {
    pgliteTemplate: string | null
    postgresTemplate: { url: string; name: string } | null
  }
}

export default async function setup(project: TestProject): Promise<() => Promise<void>> {
  const url = process.env.TEST_DATABASE_URL
  return url ? await setupPostgres(project, url) : await setupPglite(project)
}

async function setupPglite(project: TestProject) {
  const pglite = await PGlite.create({ dataDir: 'memory://', extensions: { vector } })
  const database = await openDatabase({ pglite })
  await migrate(database)
  const folder = await mkdtemp(join(tmpdir(), 'void-template-'))
  const file = join(folder, 'template.tar')
  await writeFile(file, Buffer.from(await (await pglite.dumpDataDir('none')).arrayBuffer()))
  await database.close()
  project.provide('pgliteTemplate', file)
  project.provide('postgresTemplate', null)

  return () => rm(folder, { recursive: true })
}

async function setupPostgres(project: TestProject, url: string) {
  const name = `void_template_${process.pid}`
  const admin = new pg.Client({ connectionString: url })
  await admin.connect()
  await admin.query(`create database ${name}`)
  const database = await openDatabase({ url: withDatabase(url, name) })
  await migrate(database)
  await database.close()
  project.provide('pgliteTemplate', null)
  project.provide('postgresTemplate', { url, name })

  return async () => {
    await admin.query(`drop database if exists ${name} with (force)`)
    await admin.end()
  }
}

function withDatabase(url: string, name: string): string {
  const changed = new URL(url)
  changed.pathname = `/${name}`
  return changed.href
}
