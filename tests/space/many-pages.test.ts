// A Space of many pages: what shows a few of them reads a few, whichever they are.

import { randomUUID } from 'node:crypto'
import { beforeAll, expect, test } from 'vitest'
import { maxCounted } from '../../lib/contract/limits.ts'
import type { Queryable } from '../../lib/db/pool.ts'
import { createEntitiesRepo } from '../../lib/db/repos/entities.ts'
import { createOverviewRepo } from '../../lib/db/repos/home.ts'
import { createOutlineRepo, createPageTreeRepo } from '../../lib/db/repos/page_tree.ts'
import { buildApp } from '../helpers/build-app.ts'
import { rowsVisited } from '../helpers/rows-visited.ts'

const { owner, deps } = await buildApp()
const { database } = deps
const pages = 5001
const space: string = (await owner.post('/api/spaces').send({ name: 'Log books' })).body.id

const write = (titles: string, by: string, more = '') =>
  database.query(
    `insert into pages (id, space_id, title, body, position, created_by, updated_by ${more && ', parent_id'})
     select gen_random_uuid(), $1, $2 || n, 'Fog.', n % 7, $3, $3 ${more && ', $5::uuid'}
     from generate_series(1, $4::integer) as n`,
    [space, titles, by, ...(more ? [7, more] : [pages])],
  )

beforeAll(async () => {
  await write('Written ', 'owner')
  await write('Imported ', 'system:import')
  const gone = randomUUID()
  await database.query(
    `insert into pages (id, space_id, title, created_by, updated_by, deleted_at)
     values ($1, $2, 'Gone', 'owner', 'owner', now())`,
    [gone, space],
  )
  await write('A left one ', 'owner', gone)
  await database.query('analyze pages')
})

test('the top of the tree, with what lies below a page in the trash', async () => {
  const tree = createPageTreeRepo(database)
  const top = await tree.listTop(space, 20)
  const next = await tree.listTop(space, 20, { after: top.at(-1)!.id })

  const { rows } = await database.query<{ id: string }>(
    `select id from pages where space_id = $1 and deleted_at is null order by position, lower(title), id limit 40`,
    [space],
  )
  expect([...top, ...next].map(({ id }) => id)).toEqual(rows.map(({ id }) => id))
  expect(top.map(({ title, parent_id }) => [title, parent_id])).toContainEqual(['A left one 7', null])
})

test('the companion is told the first titles of the tree, and that there are many', async () => {
  const top = await createPageTreeRepo(database).listTop(space, 40)
  const { counts, topPages } = await createOutlineRepo(database).find(deps.kinds.all, space, 40)

  expect(topPages).toEqual({ titles: top.map(({ title }) => title), total: maxCounted + 1 })
  expect(counts).toMatchObject({ page: maxCounted + 1, task: 0 })
})

const lists = { space_id: space, status: null, deleted: false, limit: 20 } as const

test('the pages by title, and those after one of them', async () => {
  const entities = createEntitiesRepo(database)
  const page = deps.kinds.get('page')
  const first = await entities.list(page, { ...lists, sort: 'title', before_id: null })
  const next = await entities.list(page, { ...lists, sort: 'title', before_id: first.at(-1)!.id })

  const { rows } = await database.query<{ id: string }>(
    `select id from pages where space_id = $1 and deleted_at is null order by lower(title), id limit 5000`,
    [space],
  )
  expect([...first, ...next].map(({ id }) => id)).toEqual(rows.slice(0, 40).map(({ id }) => id))
  const after = (tx: Queryable) =>
    createEntitiesRepo(tx).list(page, { ...lists, sort: 'title', before_id: rows.at(-1)!.id })
  expect(await rowsVisited(database, 'pages', after)).toBeLessThan(200)
})

test('a home counts to ten thousand and says that there are more', async () => {
  const { body: home } = await owner.get(`/api/spaces/${space}/overview`)

  expect(home.counts).toMatchObject({ page: maxCounted + 1, task: 0 })
})

test.each([
  [
    'the pages by title',
    (tx) => createEntitiesRepo(tx).list(deps.kinds.get('page'), { ...lists, sort: 'title', before_id: null }),
  ],
  [
    'the newest pages',
    (tx) => createEntitiesRepo(tx).list(deps.kinds.get('page'), { ...lists, before_id: null }),
  ],
  ['the top of the tree', (tx) => createPageTreeRepo(tx).listTop(space, 20)],
  ['the pages worked on last', (tx) => createOverviewRepo(tx).listRecentPages(space, 8)],
  [
    'what questions are made of',
    (tx) => createOverviewRepo(tx).listRecentHeadings(space, { limit: 6, notBelow: 'Templates' }),
  ],
] as [string, Parameters<typeof rowsVisited>[2]][])('%s', async (_name, read) => {
  expect(await rowsVisited(database, 'pages', read)).toBeLessThan(200)
})
