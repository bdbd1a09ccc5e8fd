// A Space beside a larger one: what it holds is found by its own words, at a cost that is its own.

import { randomUUID } from 'node:crypto'
import { beforeAll, describe, expect, test } from 'vitest'
import { rankChunks, type Scope } from '../../lib/db/repos/chunk_rankings.ts'
import { indexConversations } from '../../lib/search/reindex.ts'
import { buildApp } from '../helpers/build-app.ts'
import { rowsVisited } from '../helpers/rows-visited.ts'

const void_ = await buildApp()
const { owner, deps } = void_
const large = (await owner.post('/api/spaces').send({ name: 'Harbour' })).body.id
const small = (await owner.post('/api/spaces').send({ name: 'Garden' })).body.id

const write = async (space: string, titles: readonly string[], body: string) => {
  const files = titles.map((title) => ({
    path: `${title}.md`,
    base64: Buffer.from(body).toString('base64'),
  }))
  await owner.post(`/api/spaces/${space}/import`).send({ source: titles[0], files }).expect(200)
}
const numbered = (word: string, count: number) => Array.from({ length: count }, (_, n) => `${word} ${n}`)

// No word is made of a to f alone: a question with the id of a Space asks for the letters between its digits, too.
beforeAll(async () => {
  await write(large, numbered('Fog', 150), 'The lamp turns in the fog.')
  await write(large, numbered('Tide', 150), 'The lamp turns above the tide.')
  await write(small, ['Shed'], 'The lamp turns on in the old shed.')
  await write(small, ['Roots'], 'Nothing grows behind the old shed, where the lamp is.')
  const { body } = await owner.post(`/api/spaces/${small}/conversations`).send({})
  await deps.database.query(
    `insert into messages (id, conversation_id, role, body) values ($1, $3, 'user', $4), ($2, $3, 'assistant', $5)`,
    [randomUUID(), randomUUID(), body.id, 'Which lamp burns longest?', 'The paraffin one.'],
  )
  await indexConversations(deps, { quiet_since: new Date(Date.now() + 60_000), limit: 100 })
  // What is narrowed is decided by what Postgres has counted.
  await deps.search.maintain()
})

const titlesIn = async (space: string, q: string, kinds = 'page') => {
  const { body } = await owner.get('/api/search').query({ space_id: space, q, kinds, group: 'entity' })
  return body.items.map(({ title }: { title: string }) => title).sort()
}

describe('the small Space', () => {
  test('finds its own, and nothing of the large one', async () => {
    expect(await titlesIn(small, 'lamp')).toEqual(['Roots', 'Shed'])
    expect(await titlesIn(small, 'fog')).toEqual([])
  })

  test('finds a phrase, and what was said beside a word', async () => {
    expect(await titlesIn(small, '"the old shed"')).toEqual(['Roots', 'Shed'])
    expect(await titlesIn(small, 'burns', 'conversation')).toHaveLength(1)
  })

  test('is not found by the word that its Space is indexed by', async () => {
    expect(await titlesIn(small, `space ${small}`)).toEqual([])
    expect(await titlesIn(small, `"space ${small}"`)).toEqual([])
  })

  test('visits its own passages alone', async () => {
    expect(await visitedIn([small])).toBeLessThan(20)
    expect(await visitedIn([large])).toBeGreaterThan(200)
  })
})

test('both together find what either holds', async () => {
  const found = await deps.search.query({ space_ids: [small, large], q: 'shed tide', limit: 100 })

  expect(new Set(found.map(({ space_id }) => space_id))).toEqual(new Set([small, large]))
})

/** Passages read from the table in a ranking. */
async function visitedIn(space_ids: readonly string[]): Promise<number> {
  const limits = { limit: 5, per_entity: 3, by_entity: false, said: 1 }
  const scope: Scope = { space_ids, kinds: ['page'], among: null, without: null, narrow: true, ...limits }
  const question = { tsquery: "'lamp'", vector: '{1:1}/268435457' }
  return await rowsVisited(deps.database, 'chunks', (tx) => rankChunks(tx, scope, question))
}
