// An Inbox of thousands: a page of it reads a page, whichever half and wherever it begins.

import { randomUUID } from 'node:crypto'
import { beforeAll, expect, test } from 'vitest'
import { maxCounted } from '../../lib/contract/limits.ts'
import type { Queryable } from '../../lib/db/pool.ts'
import { createPendingChangeListsRepo } from '../../lib/db/repos/pending_change_lists.ts'
import { buildApp } from '../helpers/build-app.ts'
import { rowsVisited } from '../helpers/rows-visited.ts'
import { makeAgent } from '../helpers/world.ts'

const void_ = await buildApp()
const { owner, deps } = void_
const space: string = (await owner.post('/api/spaces').send({ name: 'Log books' })).body.id
const drafts = { pending: 11_000, rejected: 1000 }
const everything = { space_id: null, agent_id: null, entity_type: null, status: null, limit: 20 }

beforeAll(async () => {
  const { agentId } = await makeAgent(void_, { slug: 'scribe' })
  await deps.database.transaction(async (tx) => {
    // As no trigger has anything to say of them.
    await tx.query('set local session_replication_role = replica')
    // In no order of their ids.
    await tx.query(
      `insert into pending_changes (id, space_id, agent_id, changeset_id, entity_type, entity_id, action, payload,
         payload_sha256, reason, status, created_at, decided_at, decided_by)
       select gen_random_uuid(), $1, $2, $3, 'page', gen_random_uuid(), 'create', '{}',
         encode(sha256('{}'), 'hex'), '', status, now() - n * interval '1 second',
         case when status = 'rejected' then now() - n * interval '1 second' end,
         case when status = 'rejected' then 'owner' end
       from json_each_text($4) as half (status, count), generate_series(1, count::integer) as n`,
      [space, agentId, randomUUID(), JSON.stringify(drafts)],
    )
  })
  await deps.database.query('analyze pending_changes')
})

test.each([
  ['waiting', true],
  ['decided', false],
])('two pages of the %s drafts, in order', async (_name, waiting) => {
  const list = (tx: Queryable, before_id: string | null) =>
    createPendingChangeListsRepo(tx).listInbox({ ...everything, waiting, before_id })
  const first = await list(deps.database, null)
  const next = await list(deps.database, first.at(-1)!.id)

  const { rows } = await deps.database.query<{ id: string }>(
    `select id from pending_changes where (status = 'pending') = $1
     order by coalesce(decided_at, created_at) desc, id desc limit 500`,
    [waiting],
  )
  const inOrder = rows.map(({ id }) => id)
  expect([...first, ...next].map(({ id }) => id)).toEqual(inOrder.slice(0, 40))
  for (const before of [null, inOrder.at(-1)!]) {
    const read = (tx: Queryable) => list(tx, before)
    expect(await rowsVisited(deps.database, 'pending_changes', read)).toBeLessThan(200)
  }
})

test('what waits is counted to ten thousand', async () => {
  expect((await owner.get('/api/inbox')).body).toEqual({ count: maxCounted + 1 })
})
