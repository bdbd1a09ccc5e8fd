import { randomUUID } from 'node:crypto'
import { describe, expect, test } from 'vitest'
import { kinds } from '../../lib/contract/entities/kinds.ts'
import type { Language } from '../../lib/search/languages.ts'
import { createSearch } from '../../lib/search/search.ts'
import { testDb } from '../helpers/test-db.ts'

const db = await testDb()

const texts = {
  heizung: 'Die Heizungen werden im Herbst gewartet. Der Druck in den Kesseln soll bei 1,5 bar liegen.',
  chauffage: 'Les chaudières sont entretenues en automne. La pression doit rester à 1,5 bar.',
  boiler: 'The boilers are serviced in autumn. Their pressure should stand at 1.5 bar.',
  mortality: 'Whales die when they strand; the cast of the die was lost.',
} as const

async function library(languages: Language[]) {
  const search = createSearch({ db, kinds, languages })
  const space_id = randomUUID()
  await db.query(
    "insert into spaces (id, slug, name, created_by, updated_by) values ($1, $2, 'Texts', 'owner', 'owner')",
    [space_id, `s-${space_id}`],
  )
  const names = new Map<string, string>()
  for (const [name, text] of Object.entries(texts)) {
    const entity_id = randomUUID()
    names.set(entity_id, name)
    await search.index(db, { space_id, entity_type: 'page', entity_id, title: name, text })
  }
  return async (q: string) => {
    const hits = await search.query({ space_ids: [space_id], q })
    return hits.map(({ entity_id }) => names.get(entity_id))
  }
}

describe('two languages in one Space', async () => {
  const ask = await library(['english', 'german'])

  test.each([
    ['Wann wird die Heizung gewartet?', 'heizung'],
    ['Kessel', 'heizung'],
    ['when is the boiler serviced', 'boiler'],
    ['whale stranded', 'mortality'],
    ['Heizug', 'heizung'],
  ])('%s', async (q, name) => {
    expect((await ask(q))[0]).toBe(name)
  })

  test('a stop word of the question’s language finds nothing in the other', async () => {
    expect(await ask('Wann wird die Heizung gewartet?')).not.toContain('mortality')
  })
})

describe('neutral', async () => {
  const ask = await library(['simple'])

  test('words are found as they are written, and neither stems nor stop words are known', async () => {
    expect((await ask('Heizungen'))[0]).toBe('heizung')
    expect((await ask('whales'))[0]).toBe('mortality')
    expect((await ask('the'))[0]).toBeDefined()
  })

  test('a form that was not written is taken for a slip', async () => {
    expect((await ask('boiler'))[0]).toBe('boiler')
    expect((await ask('chaudière'))[0]).toBe('chauffage')
  })
})

test('French stems are known where French is configured', async () => {
  const ask = await library(['french'])

  expect((await ask('entretenir une chaudière'))[0]).toBe('chauffage')
})
