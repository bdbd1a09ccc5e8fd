import { expect, test } from 'vitest'
import { storageFull } from '../../lib/core/errors.ts'
import type { Database } from '../../lib/db/pool.ts'
import { indexDeferred, reindex } from '../../lib/search/reindex.ts'
import { createSearch } from '../../lib/search/search.ts'
import { buildApp } from '../helpers/build-app.ts'

const { owner, deps } = await buildApp()
const { database, kinds } = deps
const { body: space } = await owner.post('/api/spaces').send({ name: 'Skerry' })

const filler = (paragraphs: number) =>
  Array.from({ length: paragraphs }, (_, n) => `Night ${n} passed. `.repeat(60)).join('\n\n')
const log = (...words: string[]) => `${words[0]} first.\n\n${filler(140)}\n\n${words[1]} last.`

async function found(q: string): Promise<string[]> {
  const { body } = await owner.get('/api/search').query({ q, space_id: space.id })
  return body.items.map(({ title }: { title: string }) => title)
}

const passagesOf = async (id: string) =>
  (
    await database.query('select ordinal, fingerprint from chunks where entity_id = $1 order by ordinal', [
      id,
    ])
  ).rows

/** A database that counts its transactions, and does something before one of them. */
function watched(
  before: (transaction: number) => Promise<unknown> = async () => {},
  checkRoom = async () => {},
) {
  let count = 0
  const watching: Database = {
    ...database,
    checkRoom,
    async transaction(work) {
      await before(++count)
      return await database.transaction(work)
    },
  }
  return {
    deps: { database: watching, kinds, search: createSearch({ db: watching, kinds }) },
    count: () => count,
  }
}

const signal = new AbortController().signal

test('a long page is found by its title and beginning at once, and by the rest when the background has indexed it', async () => {
  const { body: page } = await owner
    .post(`/api/spaces/${space.id}/pages`)
    .send({ title: 'Long log', body: log('Kraken', 'Walrus') })
  const before = [await found('kraken'), await found('walrus')]
  const { deps: watchedDeps, count } = watched()

  expect(await indexDeferred(watchedDeps, signal)).toBe(1)

  expect(before).toEqual([['Long log'], []])
  expect(await found('walrus')).toEqual(['Long log'])
  expect(count()).toBeGreaterThan(5)
  expect(await indexDeferred(deps, signal)).toBe(0)
  const inParts = await passagesOf(page.id)
  await database.query('delete from chunks where entity_id = $1', [page.id])
  await database.transaction((tx) =>
    deps.search.index(tx, {
      space_id: space.id,
      entity_type: 'page',
      entity_id: page.id,
      title: page.title,
      text: page.body,
    }),
  )
  expect(await passagesOf(page.id)).toEqual(inParts)
})

test('after an edit a long page is found as it was until the background has indexed it', async () => {
  const { body: page } = await owner
    .post(`/api/spaces/${space.id}/pages`)
    .send({ title: 'Second log', body: log('Otter', 'Gannet') })
  await indexDeferred(deps, signal)
  await owner.patch(`/api/pages/${page.id}`).send({ version: 1, body: log('Otter', 'Puffin').slice(20_000) })
  const meanwhile = [await found('gannet'), await found('puffin')]
  await indexDeferred(deps, signal)

  expect(meanwhile).toEqual([['Second log'], []])
  expect([await found('gannet'), await found('puffin'), await found('otter')]).toEqual([
    [],
    ['Second log'],
    [],
  ])
})

test('a long page that changes while it is indexed is begun anew', async () => {
  const { body: page } = await owner
    .post(`/api/spaces/${space.id}/pages`)
    .send({ title: 'Third log', body: log('Heron', 'Plover') })
  const edit = (transaction: number) =>
    transaction === 4
      ? owner
          .patch(`/api/pages/${page.id}`)
          .send({ version: 1, body: log('Heron', 'Curlew') })
          .expect(200)
      : Promise.resolve()
  const { deps } = watched(edit)

  await indexDeferred(deps, signal)
  const between = await indexDeferred(deps, signal)

  expect(between).toBe(1)
  expect([await found('plover'), await found('curlew')]).toEqual([[], ['Third log']])
  expect(await reindex(deps)).toBe(0)
})

test('on a disk that fills up, a long page is indexed no further, and whole once there is space', async () => {
  await owner
    .post(`/api/spaces/${space.id}/pages`)
    .send({ title: 'Fourth log', body: log('Dunlin', 'Fulmar') })
  let left = 3
  const { deps: full, count } = watched(undefined, async () => {
    if (left-- <= 0) throw storageFull()
  })

  await expect(indexDeferred(full, signal)).rejects.toMatchObject({ code: 'storage_full' })

  expect(count()).toBeLessThanOrEqual(3)
  expect(await indexDeferred(deps, signal)).toBe(1)
  expect([await found('dunlin'), await found('fulmar')]).toEqual([['Fourth log'], ['Fourth log']])
})
