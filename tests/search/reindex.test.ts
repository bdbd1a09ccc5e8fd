import { expect, test } from 'vitest'
import { type Progress, reindex } from '../../lib/search/reindex.ts'
import { createSearch } from '../../lib/search/search.ts'
import { buildApp } from '../helpers/build-app.ts'
import { makeWorld } from '../helpers/world.ts'

const void_ = await buildApp()
const { owner, deps } = void_
const world = await makeWorld(void_)
const { database, kinds } = deps

const stale = () => database.query("update chunks set analysis = '1 english'")
const count = async () => {
  const { rows } = await database.query<{ chunks: number }>('select count(*)::integer as chunks from chunks')
  return rows[0]!.chunks
}

test('nothing is done where everything is up to date', async () => {
  expect(await reindex(deps)).toBe(0)
})

test('what an older analysis made is made anew, with progress, and found all the while', async () => {
  const before = await count()
  await stale()
  const told: Progress[] = []

  const done = await reindex(deps, { onProgress: (progress) => told.push(progress) })

  expect(done).toBe(4)
  expect(told[0]).toEqual({ done: 0, total: 4 })
  expect(told.at(-1)).toEqual({ done: 4, total: 4 })
  expect(await count()).toBe(before)
  expect(await reindex(deps)).toBe(0)
})

test('one that was stopped goes on where it was', async () => {
  await stale()
  const stop = new AbortController()

  const first = await reindex(deps, {
    signal: stop.signal,
    onProgress: ({ done }) => done === 1 && stop.abort(),
  })

  expect(first).toBe(1)
  expect(await reindex(deps)).toBe(3)
})

test('an entity without passages is indexed, a passage without its entity goes', async () => {
  await database.query('delete from chunks where entity_id = $1', [world.lamp.id])
  expect(await reindex(deps)).toBe(1)
  await database.query(`update chunks set entity_id = gen_random_uuid() where entity_id = $1`, [
    world.paint.id,
  ])

  expect(await reindex(deps, { all: true })).toBe(4)

  const { rows } = await database.query(
    'select from chunks where entity_id not in (select id from pages union select id from tasks union select id from projects)',
  )
  expect(rows).toEqual([])
  const found = await owner.get('/api/search').query({ q: 'gallery rail', space_id: world.space.id })
  expect(found.body.items[0].entity_id).toBe(world.paint.id)
})

test('what is in the trash stays out of the index', async () => {
  const { body: page } = await owner
    .post(`/api/spaces/${world.space.id}/pages`)
    .send({ title: 'Kraken', body: 'Tentacles.' })
  await owner.delete(`/api/pages/${page.id}`).send({ version: page.version })

  await reindex(deps, { all: true })

  const found = await owner.get('/api/search').query({ q: 'kraken tentacles', space_id: world.space.id })
  expect(found.body.items).toEqual([])
})

test('another language is another analysis', async () => {
  const german = createSearch({ db: database, kinds, languages: ['german'] })

  expect(await reindex({ database, kinds, search: german })).toBe(4)

  expect(await reindex(deps)).toBe(4)
})

test('the server says what it is at, and stops in the middle when it must', async () => {
  await stale()
  expect((await owner.get('/health')).body.search).toEqual({
    mode: 'lexical',
    indexing: null,
    embedding: null,
  })

  const stop = deps.indexing.indexer.start()
  await stop()
  const again = deps.indexing.indexer.start()
  await expect.poll(() => reindex(deps), { timeout: 20_000 }).toBe(0)
  await expect.poll(() => deps.indexing.indexer.progress(), { timeout: 20_000 }).toBeNull()
  await again()
})
