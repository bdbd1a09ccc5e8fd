// A store from before 0.1.0 becomes a store like any other. The fixture is one that the last version before it made, on
// Postgres 17: pages, tasks, a reference, four turns, drafts that were approved, rejected and wait, an undo, and practice
// drafts, which no version makes any more.

import { readFile } from 'node:fs/promises'
import { beforeAll, describe, expect, test } from 'vitest'
import { migrate } from '../../lib/db/migrate.ts'
import type { Database } from '../../lib/db/pool.ts'
import { baseline } from '../../lib/db/take-over.ts'
import { verifyAudit } from '../../lib/ops/audit/verify.ts'
import { buildApp } from '../helpers/build-app.ts'
import { emptyDb } from '../helpers/empty-db.ts'
import { readCatalog } from '../helpers/read-catalog.ts'
import { testDb } from '../helpers/test-db.ts'

const store = await emptyDb()

beforeAll(async () => {
  const fixture = new URL('../fixtures/store-before-0.1.0.sql', import.meta.url)
  await store.query(await readFile(fixture, 'utf8'))
  // One that waits for an answer has a successor.
  await store.query(
    `insert into pending_changes
       (id, space_id, agent_id, changeset_id, entity_type, entity_id, action, payload, payload_sha256, base_version, supersedes)
     select gen_random_uuid(), space_id, agent_id, changeset_id, entity_type, entity_id, action, payload, payload_sha256,
       base_version, id
     from pending_changes
     where drill and status = 'pending'`,
  )
})

const names = async (db: Database) => {
  const { rows } = await db.query<{ name: string }>('select name from migrations order by run_on, id')
  return rows.map(({ name }) => name)
}

const state = async () => [await names(store), await readCatalog(store)]

async function count(table: string): Promise<number | undefined> {
  const { rows } = await store.query<{ count: number }>(`select count(*) as count from ${table}`)
  return rows[0]?.count
}

test('an older store is refused with what to do, and stays as it is', async () => {
  await store.query(
    `create table later as select * from migrations where name > '128_pages_by_title';
     delete from migrations where name > '128_pages_by_title'`,
  )
  const before = await state()

  await expect(migrate(store)).rejects.toMatchObject({
    code: 'store_too_old',
    message:
      'This store was created by a version before 0.1.0 (its last migration is 128_pages_by_title). Start it once with ' +
      'commit 7ec9704c, which brings it up to date, then start this version again. Nothing was changed.',
  })

  expect(await state()).toEqual(before)
  await store.query('insert into migrations select * from later; drop table later')
})

test('a failure after the exchange of migrations takes it back', async () => {
  await store.query('alter table delivered_outcomes rename constraint told_outcomes_pkey to other')
  const before = await state()

  await expect(migrate(store)).rejects.toThrow(/told_outcomes_pkey/)

  expect(await state()).toEqual(before)
  await store.query('alter table delivered_outcomes rename constraint other to told_outcomes_pkey')
})

describe('a store whose last migration is 132_said_in_one_go', () => {
  let ran: string[]

  beforeAll(async () => {
    ran = await migrate(store)
  })

  test('has the migrations and the schema of a new one', async () => {
    const fresh = await testDb()

    expect(ran).toEqual((await names(fresh)).slice(baseline.length))
    expect(await names(store)).toEqual(await names(fresh))
    expect(await readCatalog(store)).toEqual(await readCatalog(fresh))
    expect(await migrate(store)).toEqual([])
  })

  test('keeps its rows, and of practice drafts only one that another draft names, closed', async () => {
    const { rows: drafts } = await store.query(
      "select status, payload::json ->> 'title' as title from pending_changes order by created_at, id",
    )

    expect(await Promise.all(['pages', 'messages', 'chunks', 'audit_log'].map(count))).toEqual([3, 8, 15, 11])
    expect(drafts).toEqual([
      { status: 'approved', title: 'Clean the lens' },
      { status: 'rejected', title: 'The keeper' },
      { status: 'pending', title: 'Buy paraffin' },
      { status: 'retracted', title: 'Lamp' },
      { status: 'pending', title: 'Lamp' },
    ])
    expect(await verifyAudit(store)).toMatchObject({ sound: true, rows: 11 })
  })

  test('is used like one: a draft is approved, a page found, and the conversation continues', async () => {
    const { owner } = await buildApp({ database: store })
    const { body: spaces } = await owner.get('/api/spaces').expect(200)
    const space = spaces.items[0].id
    const { rows: drafts } = await store.query<{ id: string }>(
      "select id from pending_changes where status = 'pending' and entity_type = 'task'",
    )

    await owner.post(`/api/pending-changes/${drafts[0]!.id}/approve`).send({}).expect(200)
    const { body: tasks } = await owner.get(`/api/spaces/${space}/tasks`).expect(200)
    const { body: hits } = await owner.get(`/api/search?space_id=${space}&q=rapeseed`).expect(200)
    const { body: answer } = await owner
      .post(`/api/spaces/${space}/companion/turn`)
      .set('accept', 'application/json')
      .send({ text: 'How often does the lamp turn?' })
      .expect(200)

    expect(tasks.items.map(({ title }: { title: string }) => title)).toContain('Buy paraffin')
    expect(hits.items[0].title).toBe('Lamp')
    expect(answer.text).toContain('twelve seconds')
    expect(await count('conversations')).toBe(1)
    expect(await verifyAudit(store)).toMatchObject({ sound: true, rows: 12 })
  })
})
