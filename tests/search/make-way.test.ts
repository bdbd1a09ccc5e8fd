import { v7 as uuid } from 'uuid'
import { expect, test } from 'vitest'
import { createSpace } from '../../lib/content/writes/write-space.ts'
import { kinds } from '../../lib/contract/entities/kinds.ts'
import { indexConversations } from '../../lib/search/reindex.ts'
import { createSearch } from '../../lib/search/search.ts'
import { testDb } from '../helpers/test-db.ts'

const database = await testDb()
const search = createSearch({ db: database, kinds })

/** In a new Space, its id. */
async function makeConversations(count: number): Promise<string> {
  const { id: space_id } = await createSpace(database, { kind: 'owner' }, { name: 'Skerry' })
  for (const id of Array.from({ length: count }, () => uuid())) {
    await database.query(
      `with made as (
         insert into conversations (id, space_id, agent_id, created_by)
         select $1, $2, id, 'owner' from agents where slug = 'companion'
         returning id
       )
       insert into messages (id, conversation_id, role, body, metadata)
       select gen_random_uuid(), id, 'user', 'How often does the lamp turn?', '{}' from made`,
      [id, space_id],
    )
  }
  return space_id
}

const quiet_since = new Date(Date.now() + 60_000)

test('indexing conversations stops for turns that begin, and goes on with the rest later', async () => {
  const space_id = await makeConversations(3)
  const indexed = async () => {
    const { rows } = await database.query<{ count: number }>(
      "select count(distinct entity_id) as count from chunks where entity_type = 'conversation' and space_id = $1",
      [space_id],
    )
    return rows[0]?.count
  }
  let asked = 0

  await indexConversations({ database, search }, { quiet_since, makesWay: () => ++asked > 1 })
  expect(await indexed()).toBe(1)

  expect(await indexConversations({ database, search }, { quiet_since })).toBe(2)
  expect(await indexed()).toBe(3)
})

test('what was said is in the indexes when a batch is done, and not beside them', async () => {
  await makeConversations(2)

  expect(await indexConversations({ database, search }, { quiet_since })).toBe(2)

  const { rows } = await database.query<{ pages: number }>(
    `select sum(gin_clean_pending_list(indexrelid))::integer as pages
     from pg_index
     where indexrelid in ('chunks_words_said'::regclass, 'chunks_words_around'::regclass)`,
  )
  expect(rows).toEqual([{ pages: 0 }])
})
