// Passages are weighed in JavaScript, and by the database's function where a question is made of a text: both must agree.

import { v7 as uuid } from 'uuid'
import { expect, test } from 'vitest'
import { createSpace } from '../../../lib/content/writes/write-space.ts'
import { kinds } from '../../../lib/contract/entities/kinds.ts'
import { createSearch } from '../../../lib/search/search.ts'
import { sparseVector } from '../../../lib/search/words/index-words.ts'
import { createShakyDatabase } from '../../helpers/shaky-database.ts'
import { testDb } from '../../helpers/test-db.ts'

const database = await testDb()
const { id: space_id } = await createSpace(database, { kind: 'owner' }, { name: 'Skerry' })

const messages = [
  { speaker: '', text: 'How often does the lamp turn?' },
  { speaker: 'Void', text: 'The lamp turns, the lamp shines; twelve seconds.' },
  { speaker: '', text: `O'Brien's "1.9.7" naïve 東京 __proto__ \\ constructor` },
  { speaker: 'Void', text: 'Ships counted lamps far away, away, away. '.repeat(20) },
  { speaker: '', text: 'And the and the' },
]

/** Indexes the messages and returns them as they are stored. */
async function stored(entity_type: string) {
  const search = createSearch({ db: database, kinds })
  const document = { space_id, entity_type, entity_id: uuid(), title: 'The lamp at Skerry', text: messages }
  await database.transaction(async (tx) => {
    await search.index(tx, document)
  })
  const { rows } = await database.query<{
    tsv: string
    around: string | null
    bm: string
    average_length: number
  }>(
    `select tsv::text, around::text, bm::text, average_length from chunks where entity_id = $1 order by ordinal`,
    [document.entity_id],
  )
  return rows
}

/** The same by SQL alone, each passage by itself. */
async function expected(words: { own: string; near: string; far: string }, average: number) {
  const { rows } = await database.query<{ bm: string; around: string }>(
    `select bm25_vector(own, one, other, $4)::text as bm, strip(one || other)::text as around
     from to_tsvector('english', $1) as own, to_tsvector('english', $2) as one, to_tsvector('english', $3) as other`,
    [words.own, words.near, words.far, average],
  )
  return rows[0]!
}

const named = 'the lamp at skerry '.repeat(3)
const bodies = [
  'how often does the lamp turn',
  'the lamp turns the lamp shines twelve seconds',
  'o brien s 1 9 7 1v9v7 naive 東京 proto constructor',
  'ships counted lamps far away away away '.repeat(20),
  'and the and the',
]

test('what is stored of a conversation is what the function of the database says', async () => {
  const rows = await stored('conversation')
  const { bm, around } = await expected(
    { own: named + bodies[0], near: bodies[1]!, far: `${bodies[2]} ${bodies[3]}` },
    rows[0]!.average_length,
  )
  expect(rows).toHaveLength(5)
  expect(rows[0]).toMatchObject({ bm, around })
})

test('a passage of many words is known by its own alone, one of a page by two beside it', async () => {
  const [, , , long] = await stored('conversation')
  const [first] = await stored('page')
  expect(long?.around).toBe('')
  expect(long?.bm).toBe(
    (
      await expected(
        { own: `${'the lamp at skerry void '.repeat(3)}${bodies[3]}`, near: '', far: '' },
        long!.average_length,
      )
    ).bm,
  )
  expect(first?.around).toBeNull()
  expect(first?.bm).toBe(
    (await expected({ own: named + bodies[0], near: bodies[1]!, far: bodies[2]! }, first!.average_length)).bm,
  )
})

test('a text of stop words alone is stored, and each text is analysed once', async () => {
  const shaky = createShakyDatabase(database)
  const search = createSearch({ db: shaky.database, kinds })
  const statements = await shaky.statementsOf(() =>
    shaky.database.transaction((tx) =>
      search.index(tx, { space_id, entity_type: 'page', entity_id: uuid(), title: 'Lamp', text: messages }),
    ),
  )
  expect(statements.filter((text) => /\bto_tsvector/.test(text))).toHaveLength(1)
  const rows = await stored('page')
  expect(rows.at(-1)?.tsv).toContain(`'skerri'`)
})

test('a vector of nothing is a vector', async () => {
  const { rows } = await database.query('select $1::sparsevec::text as bm', [sparseVector([])])
  expect(rows).toEqual([{ bm: '{}/268435457' }])
})
