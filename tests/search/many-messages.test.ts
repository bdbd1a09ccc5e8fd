import { v7 as uuid } from 'uuid'
import { expect, test } from 'vitest'
import { createSpace } from '../../lib/content/writes/write-space.ts'
import { kinds } from '../../lib/contract/entities/kinds.ts'
import { createSearch } from '../../lib/search/search.ts'
import { createShakyDatabase } from '../helpers/shaky-database.ts'
import { testDb } from '../helpers/test-db.ts'

const database = await testDb()
const shaky = createShakyDatabase(database)
const search = createSearch({ db: shaky.database, kinds })

test('a Space of few pages and many messages is ranked once, not as a whole', async () => {
  const { id: space_id } = await createSpace(database, { kind: 'owner' }, { name: 'Skerry' })
  const write = (entity_type: string, title: string, text: string) =>
    database.transaction((tx) => search.index(tx, { space_id, entity_type, entity_id: uuid(), title, text }))
  for (let at = 0; at < 300; at += 1) await write('conversation', `Talk ${at}`, 'owner: the lamp and its oil')
  for (const title of ['Lamp', 'Oil', 'Stores'])
    await write('page', title, 'The lamp burns oil from the stores.')
  const ask = () => search.query({ space_ids: [space_id], q: 'lamp oil', group: 'entity', limit: 8 })
  await ask()
  const statements = await shaky.statementsOf(ask)
  const hits = await ask()

  expect(statements.filter((text) => text.includes('rank_chunks('))).toHaveLength(1)
  expect(hits.filter(({ entity_type }) => entity_type === 'page')).toHaveLength(3)
  expect(hits).toHaveLength(8)
})
