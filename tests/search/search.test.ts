import { randomUUID } from 'node:crypto'
import { expect, test } from 'vitest'
import { createSearch } from '../../lib/search/search.ts'
import { testDb } from '../helpers/test-db.ts'

const db = await testDb()

async function space(): Promise<string> {
  const id = randomUUID()
  await db.query(
    "insert into spaces (id, slug, name, created_by, updated_by) values ($1, $2, 'Workshop', 'owner', 'owner')",
    [id, `s-${id}`],
  )
  return id
}

test('a question finds its page without sharing all of its words', async () => {
  const search = createSearch({ db })
  const space_id = await space()
  const entity_id = randomUUID()
  await search.index(db, {
    space_id,
    entity_type: 'page',
    entity_id,
    title: 'Boiler',
    text: 'The pressure should stand at 1.5 bar. Top it up at the brass valve.',
  })

  const hits = await search.query({ space_ids: [space_id], q: 'what pressure does our heating need?' })

  expect(hits.map((hit) => hit.entity_id)).toEqual([entity_id])
})
