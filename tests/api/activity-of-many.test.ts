// The activity of a Space in which much was said: its first pages read little more than they show, and leave nothing out.

import { beforeAll, expect, test } from 'vitest'
import type { Queryable } from '../../lib/db/pool.ts'
import { type ActivityFilter, createActivityRepo } from '../../lib/db/repos/activity.ts'
import { buildApp } from '../helpers/build-app.ts'
import { companion } from '../helpers/one-turn.ts'
import { rowsVisited } from '../helpers/rows-visited.ts'

const { owner, deps } = await buildApp()
const { database } = deps
const create = async (name: string): Promise<string> =>
  (await owner.post('/api/spaces').send({ name })).body.id
const [space, busy] = [await create('Log books'), await create('Busy')]
const conversations = 400
const messagesOfEach = 10
const anything: ActivityFilter = {
  ...{ space_id: space, source: null, actor: null, entity_type: null, action: null, entity_id: null },
  ...{ conversation_id: null, turn_id: null, status: null, after: null, limit: 60 },
}
const list = (tx: Queryable, after: ActivityFilter['after'] = null) =>
  createActivityRepo(tx).list({ ...anything, source: 'message', after })

async function latest(limit = anything.limit): Promise<string[]> {
  const { rows } = await database.query<{ id: string }>(
    `select 'message:' || messages.id as id
     from messages join conversations on conversations.id = conversation_id
     where space_id = $1
     order by messages.created_at desc, 'message:' || messages.id desc
     limit $2`,
    [space, limit],
  )
  return rows.map(({ id }) => id)
}

/** `ago`: how many minutes its latest message is old, for each. */
const talk = (spaceId: string, count: number, ago: string) =>
  database.query(
    `with made as (
       insert into conversations (id, space_id, agent_id, title, created_by, started_at, last_activity_at)
       select gen_random_uuid(), $1, $2, 'Log ' || n, 'owner', at, at
       from generate_series(1, $3::integer) as n, lateral (select now() - (${ago}) * interval '1 minute' as at) as time
       returning id, last_activity_at
     )
     insert into messages (id, conversation_id, role, body, created_at)
     select gen_random_uuid(), id, 'user', 'Fog.', last_activity_at - n * interval '7 seconds'
     from made, generate_series(0, $4::integer - 1) as n`,
    [spaceId, companion.agent_id, count, messagesOfEach],
  )

beforeAll(async () => {
  await talk(space, conversations, '2 + n')
  await talk(busy, 3 * conversations, '1')
  await talk(busy, 3 * conversations, '1000 + n')
  await database.query('analyze messages, conversations')
})

test('the first pages are read from the conversations of late', async () => {
  const all: string[] = []
  let after: ActivityFilter['after'] = null
  for (let page = 1; page <= 5; page += 1) {
    const read = (tx: Queryable) => list(tx, after)
    const most = (page * anything.limit + 10) * messagesOfEach
    expect(await rowsVisited(database, 'messages', read)).toBeLessThan(most)
    const rows = await read(database)
    all.push(...rows.map(({ id }) => id))
    after = rows.at(-1)!
  }

  expect(all).toEqual(await latest(5 * anything.limit))
})

test('the last page is found as well', async () => {
  const before = (await latest(conversations * messagesOfEach - 5)).at(-1)!
  const { rows } = await database.query<{ stamp: string }>(
    `select to_char(created_at at time zone 'utc', 'YYYY-MM-DD"T"HH24:MI:SS.US"Z"') as stamp
     from messages where 'message:' || id = $1`,
    [before],
  )

  expect(await list(database, { stamp: rows[0]!.stamp, id: before })).toHaveLength(5)
})

test('conversations that are only opened again push nothing aside', async () => {
  await database.query(
    `update conversations set last_activity_at = now()
     where id in (select id from conversations where space_id = $1 order by last_activity_at limit 100)`,
    [space],
  )

  expect((await list(database)).map(({ id }) => id)).toEqual(await latest())
})

test('all sources together say the same as one after the other', async () => {
  const repo = createActivityRepo(database)
  const [message, change] = [
    await repo.list({ ...anything, source: 'message' }),
    await repo.list({ ...anything, source: 'change' }),
  ]
  const stamps = [...message, ...change]
    .map(({ stamp }) => stamp)
    .toSorted()
    .toReversed()

  expect((await repo.list(anything)).map(({ stamp }) => stamp)).toEqual(stamps.slice(0, anything.limit))
})
