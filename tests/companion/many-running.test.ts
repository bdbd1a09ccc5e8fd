// Many turns run at once: their events are stored together, and one is found without going through the others.

import { v7 as uuid } from 'uuid'
import { expect, test } from 'vitest'
import { createEventStore } from '../../lib/companion/turn/turn-runners.ts'
import { createSpace } from '../../lib/content/writes/write-space.ts'
import { createTurnStepsRepo } from '../../lib/db/repos/turn_steps.ts'
import { createTurnsRepo } from '../../lib/db/repos/turns.ts'
import { rowsVisited } from '../helpers/rows-visited.ts'
import { createShakyDatabase } from '../helpers/shaky-database.ts'
import { testDb } from '../helpers/test-db.ts'

const database = await testDb()
const shaky = createShakyDatabase(database)
const { id: space_id } = await createSpace(database, { kind: 'owner' }, { name: 'Skerry' })
const owner = 'this-server'

/** Makes so many running turns, each in a conversation of its own. */
async function makeRunning(count: number): Promise<string[]> {
  const ids = Array.from({ length: count }, () => uuid())
  await database.query(
    `with made as (
       insert into conversations (id, space_id, agent_id, created_by)
       select gen_random_uuid(), $1, (select id from agents where slug = 'companion'), 'owner'
       from generate_series(1, cardinality($2::uuid[]))
       returning id, agent_id
     ), numbered as (
       select *, row_number() over () as n from made
     )
     insert into turns (id, space_id, conversation_id, agent_id, status, body_hash, lease_owner, lease_until)
     select turn.id, $1, numbered.id, agent_id, 'running', 'x', $3, now() + interval '1 hour'
     from numbered
     join unnest($2::uuid[]) with ordinality as turn (id, n) using (n)`,
    [space_id, ids, owner],
  )
  return ids
}

const events = (text: string) => [{ seq: 1, type: 'delta', data: JSON.stringify([text]) }]
const write = (turn_id: string, lease: object = {}) => ({
  lease: { turn_id, attempt: 1, owner, ...lease },
  events: events(turn_id),
})
const storedOf = (turn_id: string) => createTurnStepsRepo(database).listEvents(turn_id, 0, 10)

test('the events of all turns are stored in one statement, each under its own lease', async () => {
  const [first = '', second = '', lost = '', stopped = '', silent = ''] = await makeRunning(5)
  await database.query('update turns set stop_requested_at = now() where id = $1', [stopped])
  const store = createEventStore(shaky.database)

  let written: unknown[] = []
  const statements = await shaky.statementsOf(async () => {
    written = await Promise.all([
      store(write(second)),
      store(write(first)),
      store(write(lost, { owner: 'another-server' })),
      store(write(stopped)),
      store({ ...write(silent), events: [] }),
      store(write(first, { attempt: 2 })),
      store(write(uuid())),
    ])
  })

  expect(statements).toHaveLength(1)
  expect(written).toEqual([
    { stop_requested: false },
    { stop_requested: false },
    null,
    { stop_requested: true },
    { stop_requested: false },
    null,
    null,
  ])
  expect(await storedOf(first)).toEqual(events(first))
  expect(await storedOf(second)).toEqual(events(second))
  expect(await storedOf(stopped)).toEqual(events(stopped))
  expect([...(await storedOf(lost)), ...(await storedOf(silent))]).toEqual([])
})

test('what Postgres does not take is refused to that turn alone', async () => {
  const [good = '', bad = ''] = await makeRunning(2)
  const store = createEventStore(database)
  const [kept, refused] = await Promise.allSettled([
    store(write(good)),
    store({ ...write(bad), events: [{ seq: 1, type: 'delta', data: 'a\0b' }] }),
  ])
  expect(kept).toEqual({ status: 'fulfilled', value: { stop_requested: false } })
  expect(refused.status).toBe('rejected')
  expect(await storedOf(good)).toEqual(events(good))
})

test('storing for one turn and renewing one lease read no other of 200 that run', async () => {
  const [one = ''] = await makeRunning(200)
  const storing = await rowsVisited(database, 'turns', (tx) =>
    createTurnStepsRepo(tx).storeEvents([write(one)]),
  )
  const renewing = await rowsVisited(database, 'turns', (tx) =>
    createTurnsRepo(tx).renew({ owner, seconds: 5 }, [one]),
  )
  expect(storing).toBeLessThan(10)
  expect(renewing).toBeLessThan(10)
})
