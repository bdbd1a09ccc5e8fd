// Migration 020 drops the schema of the queue that background work had before.

import { expect, test } from 'vitest'
import { migrate } from '../../lib/db/migrate.ts'
import { testDb } from '../helpers/test-db.ts'

const db = await testDb()

/** The database as an earlier version left it, with these queues. */
async function withQueues(...names: string[]): Promise<void> {
  await db.query("delete from migrations where name = '020_job_leases'")
  await db.query('drop table if exists job_leases')
  await db.query(`create schema if not exists pgboss;
    create table if not exists pgboss.queue (name text primary key);
    create or replace view pgboss.queues as select name from pgboss.queue`)
  for (const name of names) await db.query('insert into pgboss.queue values ($1)', [name])
}

/** Other folders, if none: then the order of what ran is not checked. */
const migrateAgain = () => migrate(db, { folders: [] })

const tables = async () => {
  const { rows } = await db.query<{ queue: string | null; leases: string | null }>(
    "select to_regclass('pgboss.queue')::text as queue, to_regclass('job_leases')::text as leases",
  )
  return rows[0]
}

test('the queue of Void goes with its schema', async () => {
  await withQueues('embed-passages', '__pgboss__send-it')

  expect(await migrateAgain()).toEqual(['020_job_leases'])

  expect(await tables()).toEqual({ queue: null, leases: 'job_leases' })
})

test('a schema that holds the queue of something else stays', async () => {
  await withQueues('embed-passages', 'newsletter')

  await migrateAgain()

  expect(await tables()).toEqual({ queue: 'pgboss.queue', leases: 'job_leases' })
})
