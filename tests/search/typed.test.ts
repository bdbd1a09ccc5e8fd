// What people type: versions, amounts, names with a dot, quotation marks left open, beginnings, emoji, long texts.

import { randomUUID } from 'node:crypto'
import { beforeAll, describe, expect, test } from 'vitest'
import { createSpace } from '../../lib/content/writes/write-space.ts'
import { kinds } from '../../lib/contract/entities/kinds.ts'
import { createSearch } from '../../lib/search/search.ts'
import { testDb } from '../helpers/test-db.ts'

const db = await testDb()
const search = createSearch({ db, kinds })

const notes: Record<string, string> = {
  'Release 1.9.7': 'The canvas opens faster.',
  'Release 1.9.3': 'The canvas prints. Fixed in 9 places, 7 of them reported.',
  'Release 9.7': 'Themes.',
  Upload: 'A file may have 50 MB at the most.',
  Download: 'Archives of 50 files; the limit is 80 mb.',
  Settings: 'They are in the folder `.obsidian` of the vault, hidden on most systems.',
  Vault: 'An obsidian vault is a folder. Obsidian reads Obsidian folders in obsidian fashion.',
  Functions: 'Use `list.containsAny(values)` for one of several values.',
  Contains: 'Contains, contains: `list.contains(value)` contains one value; what it contains counts.',
  Phrase: 'The keeper contains any spill with sand before it reaches the drain.',
  Versions: 'Each version of a note is kept; versions can be compared and a version restored.',
  Verses: 'A verb, a very old verb.',
  Launch: 'Ready when you are.\n\nThen 🚀 and a 🇫🇴 flag.',
  Monitors: 'A monitor of 27 inches on an arm.',
  Lens: 'Dust on the lens is wiped off with a linen cloth.',
}
let space_id: string

beforeAll(async () => {
  space_id = (await createSpace(db, { kind: 'owner' }, { name: 'Typed' })).id
  for (const [title, text] of Object.entries(notes)) {
    await search.index(db, { space_id, entity_type: 'page', entity_id: randomUUID(), title, text })
  }
})

const ask = async (q: string, typing = false) =>
  (await search.show({ space_ids: [space_id], q, typing, group: 'entity' }, 200)).items
const titles = async (q: string, typing = false) => (await ask(q, typing)).map(({ title }) => title)

describe('the best result', () => {
  test.each([
    ['1.9.7', 'Release 1.9.7'],
    ['v1.9.7', 'Release 1.9.7'],
    ['what is new in 1.9.3?', 'Release 1.9.3'],
    ['9.7', 'Release 9.7'],
    ['50mb', 'Upload'],
    ['50 MB', 'Upload'],
    ['80MB', 'Download'],
    ['.obsidian', 'Settings'],
    ['the .obsidian folder', 'Settings'],
    ['contains any', 'Functions'],
    ['"contains any"', 'Functions'],
    ['"contains any spill"', 'Phrase'],
    ['"any spill with', 'Phrase'],
    ['where is "wiped off with', 'Lens'],
    ['27" monitor arm', 'Monitors'],
    ['vers', 'Versions'],
    ['🚀', 'Launch'],
    ['🇫🇴', 'Launch'],
  ])('of %s', async (q, title) => {
    expect((await titles(q))[0]).toBe(title)
  })
})

test('a phrase whose words are in many passages is found behind them', async () => {
  const other = (await createSpace(db, { kind: 'owner' }, { name: 'Crowded' })).id
  const index = (title: string, text: string) =>
    search.index(db, { space_id: other, entity_type: 'page', entity_id: randomUUID(), title, text })
  for (let n = 0; n < 80; n += 1) await index(`Harbour ${n}`, 'The harbour is a harbour of harbours.')
  await index('Quay', 'Long ago somebody built, out of the harbour into the sea, a quay of granite.')

  const [first] = await search.query({ space_ids: [other], q: '"of the harbour into"' })

  expect(first?.title).toBe('Quay')
})

describe('a word that is being typed', () => {
  test.each(['v', 've', 'ver', 'vers', 'versi', 'versio'])('%s is the beginning of one', async (q) => {
    expect(await titles(q, true)).toContain('Versions')
  })

  test('is no slip where a word begins with it', async () => {
    expect(await titles('vers', true)).not.toContain('Verses ')
    expect((await titles('vers', true))[0]).toBe('Versions')
  })

  test('is a slip where none does', async () => {
    expect((await titles('versoin', true))[0]).toBe('Versions')
  })

  test('may end a phrase that is still open', async () => {
    expect((await titles('"each version of a no', true))[0]).toBe('Versions')
    expect((await titles('"linen clo', true))[0]).toBe('Lens')
  })
})

test('an emoji is cited where it stands, and marked', async () => {
  const [first] = await ask('🚀')

  expect(first?.cite).toBe('Then 🚀 and a 🇫🇴 flag.')
  expect(first?.snippet.filter(({ marked }) => marked).map(({ text }) => text)).toEqual(['🚀'])
})

describe('a long text', () => {
  test('finds by its words beyond the first hundred', async () => {
    const letters = [...'bcdfghjklmnpqrst']
    const others = letters.flatMap((one) => letters.slice(6).map((other) => `quo${one}u${other}ax`)).join(' ')
    expect(others.split(' ').length).toBeGreaterThan(150)

    expect((await titles(`${others} linen cloth`))[0]).toBe('Lens')
  })

  test('may have any length', async () => {
    const text = `${'And so on, and so forth. '.repeat(600)} linen cloth`
    expect(text.length).toBeGreaterThan(10_000)

    expect((await titles(text))[0]).toBe('Lens')
  })
})
