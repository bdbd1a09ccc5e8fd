import { randomUUID } from 'node:crypto'
import { expect, test } from 'vitest'
import { reindex } from '../../lib/search/reindex.ts'
import { buildApp } from '../helpers/build-app.ts'

const { owner, deps } = await buildApp()
const { database, search } = deps

/** A Space of so many pages without titles worth counting, each of the words given. */
async function spaceOf(name: string, pages: number, words: (n: number) => string): Promise<string> {
  const { body: space } = await owner.post('/api/spaces').send({ name })
  for (let n = 0; n < pages; n += 1) {
    await owner.post(`/api/spaces/${space.id}/pages`).send({ title: `P${n}`, body: words(n) })
  }
  return space.id
}

async function weighedFor(spaceId: string): Promise<number[]> {
  const { rows } = await database.query<{ average_length: number }>(
    'select distinct average_length from chunks where space_id = $1',
    [spaceId],
  )
  return rows.map(({ average_length }) => average_length)
}

const ask = async (space_id: string, q: string) =>
  (await search.query({ space_ids: [space_id], q })).map(({ title, score }) => ({ title, score }))

test('a Space of one-liners is weighed for its own average, and stays found all the while', async () => {
  const spaceId = await spaceOf('One-liners', 60, (n) => `card payment declined number${n}`)
  const [before] = await ask(spaceId, 'number7')
  const { rows: embedded } = await database.query(
    'select entity_id, revision from chunks where space_id = $1 order by revision',
    [spaceId],
  )

  expect(await search.adoptAverageLengths()).toBe(true)
  const [meanwhile] = await ask(spaceId, 'number7')
  const done = await reindex(deps)

  expect(done).toBe(60)
  expect(await weighedFor(spaceId)).toEqual([7])
  const [after] = await ask(spaceId, 'number7')
  expect([before, meanwhile, after].map((hit) => hit?.title)).toEqual(['P7', 'P7', 'P7'])
  expect(after!.score).toBeLessThan(before!.score)
  // The same rows, so that what was embedded stays embedded.
  const { rows } = await database.query(
    'select entity_id, revision from chunks where space_id = $1 order by revision',
    [spaceId],
  )
  expect(rows).toEqual(embedded)
  expect(await search.adoptAverageLengths()).toBe(false)
  expect(await reindex(deps)).toBe(0)
})

test('a server sees to it by itself, and what is written afterwards is weighed the same', async () => {
  const spaceId = await spaceOf('Short', 50, (n) => `tide table${n}`)
  await search.warm([spaceId])
  const stop = deps.indexing.indexer.start()
  await expect.poll(() => weighedFor(spaceId), { timeout: 20_000 }).toEqual([5])
  await stop()

  await owner.post(`/api/spaces/${spaceId}/pages`).send({ title: 'P50', body: 'tide table50' })

  expect(await weighedFor(spaceId)).toEqual([5])
  expect(await reindex(deps)).toBe(0)
})

test('a few passages, or passages of the usual length, change nothing', async () => {
  const few = await spaceOf('Few', 10, (n) => `word${n}`)
  const usual = await spaceOf('Usual', 50, () => 'harbour lamp rail paint '.repeat(15))
  await search.warm([few, usual])

  expect(await search.adoptAverageLengths()).toBe(false)

  expect(await weighedFor(few)).toEqual([100])
  expect(await weighedFor(usual)).toEqual([100])
})

test('passages that were taken out no longer count', async () => {
  const spaceId = await spaceOf('Mixed', 60, (n) => (n < 55 ? `note${n}` : 'harbour lamp rail '.repeat(300)))
  const { body } = await owner.get(`/api/spaces/${spaceId}/pages?limit=100`)
  for (const { id, title, version } of body.items) {
    if (Number(title.slice(1)) >= 55) await owner.delete(`/api/pages/${id}`).send({ version })
  }
  await search.warm([spaceId])

  await search.adoptAverageLengths()
  await reindex(deps)

  expect(await weighedFor(spaceId)).toEqual([4])
})

test('what was said is weighed for a hundred words, whatever is usual in its Space', async () => {
  const spaceId = await spaceOf('Talk', 60, (n) => `tide table${n}`)
  const said = { space_id: spaceId, entity_type: 'conversation', entity_id: randomUUID(), title: 'Tides' }
  const text = ['When is high tide?', 'At noon.'].map((each) => ({ speaker: '', text: each }))
  await search.index(database, { ...said, text })
  await search.warm([spaceId])

  expect(await search.adoptAverageLengths()).toBe(true)
  await reindex(deps)
  await search.index(database, { ...said, text })

  const { rows } = await database.query('select distinct average_length from chunks where entity_id = $1', [
    said.entity_id,
  ])
  expect(rows).toEqual([{ average_length: 100 }])
})
