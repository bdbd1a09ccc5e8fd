import { randomUUID } from 'node:crypto'
import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { kinds } from '../../lib/contract/entities/kinds.ts'
import { createSearch } from '../../lib/search/search.ts'
import { testDb } from '../helpers/test-db.ts'

const db = await testDb()

const house = {
  boiler: [
    'page',
    'Boiler',
    '# Boiler\n\nThe pressure should stand at 1.5 bar.\n\n## Topping up\n\nOpen the brass valve.',
  ],
  roof: [
    'page',
    'Roof survey 2024',
    'Three slates have slipped above the north gutter; water gets into the attic.',
  ],
  sweep: ['task', 'Call the chimney sweep', 'Ask whether the flue needs a new liner.'],
  pump: ['resource', 'Pump', 'Part 77-1204, see lib/heating/pumpControl.ts and GitHub issue #311.'],
  wine: [
    'ref',
    'Wine labels',
    'GREEN LIGHT and RED LIGHT are the labels of the two casks; a light green bottle is neither.',
  ],
  onsen: ['page', '温泉旅行', '箱根の温泉に一泊する。電車は新宿から。'],
} as const

type Name = keyof typeof house

async function newSpace(): Promise<string> {
  const id = randomUUID()
  await db.query(
    "insert into spaces (id, slug, name, created_by, updated_by) values ($1, $2, 'House', 'owner', 'owner')",
    [id, `s-${id}`],
  )
  return id
}

/** A Space with the house in it, and a way to ask it that answers with the names of what was found. */
async function theHouse() {
  const search = createSearch({ db, kinds })
  const space_id = await newSpace()
  const ids = new Map<string, Name>()
  for (const [name, [entity_type, title, text]] of Object.entries(house)) {
    const entity_id = randomUUID()
    ids.set(entity_id, name as Name)
    await search.index(db, { space_id, entity_type, entity_id, title, text })
  }
  const ask = async (q: string, kinds?: string[]) => {
    const hits = await search.query({ space_ids: [space_id], q, kinds })
    return [...new Set(hits.map((hit) => ids.get(hit.entity_id)))]
  }
  const idOf = (wanted: Name) => [...ids].find(([, name]) => name === wanted)![0]
  return { search, space_id, ask, idOf }
}

describe('what is found', async () => {
  const { ask, search, space_id } = await theHouse()

  test.each<[string, Name]>([
    ['what pressure does our heating system need?', 'boiler'],
    ['where does the water come in', 'roof'],
    ['Is water leaking anywhere upstairs, maybe in the attic?', 'roof'],
    ['who looks at the flue', 'sweep'],
    ['roof', 'roof'],
    ['survey from 2024', 'roof'],
    ['pumpControl', 'pump'],
    ['pump control', 'pump'],
    ['pumpControl.ts', 'pump'],
    ['77-1204', 'pump'],
    ['github', 'pump'],
    ['#311', 'pump'],
    ['presure', 'boiler'],
    ['chimeny', 'sweep'],
    ['gutt', 'roof'],
    ['温泉', 'onsen'],
    ['泉', 'onsen'],
    ['新宿からの電車', 'onsen'],
    ['CAFÉ or ATTIC', 'roof'],
  ])('%s', async (q, name) => {
    expect((await ask(q))[0]).toBe(name)
  })

  test('the words of a quoted phrase must stand together to come first', async () => {
    const [first] = await search.query({ space_ids: [space_id], q: '"light green"' })
    const [second] = await search.query({ space_ids: [space_id], q: 'liner label "new liner"' })

    expect(first?.text).toContain('light green')
    expect(second?.text).toContain('new liner')
  })

  test('a hit names its place', async () => {
    const [hit] = await search.query({ space_ids: [space_id], q: 'brass valve' })

    expect(hit).toMatchObject({
      entity_type: 'page',
      title: 'Boiler',
      heading_path: ['Topping up'],
      ordinal: 1,
      text: '## Topping up\n\nOpen the brass valve.',
      start_line: 5,
      end_line: 7,
    })
    expect(hit?.score).toBeGreaterThan(0)
  })

  test('only the kinds asked for', async () => {
    expect(await ask('water pressure and chimney flue', ['task'])).toEqual(['sweep'])
    expect(await ask('water', ['project'])).toEqual([])
    expect(await ask('water', [])).toEqual([])
  })

  test('stop words, signs and emoji are looked for as they are written, in titles first', async () => {
    expect((await ask('the'))[0]).toBe('sweep')
    expect(await ask('???')).toEqual([])
    expect(await ask('')).toEqual([])
    expect(await ask('🚀')).toEqual([])
  })

  test('an entity without text is found by its title', async () => {
    const entity_id = randomUUID()
    await search.index(db, {
      space_id,
      entity_type: 'task',
      entity_id,
      title: 'Varnish the banister',
      text: '',
    })

    const [hit] = await search.query({ space_ids: [space_id], q: 'banister' })

    expect(hit).toMatchObject({ entity_id, text: '', start_line: 1, end_line: 1 })
  })
})

describe('walls', () => {
  test('a Space is never answered from another one', async () => {
    const { search, space_id } = await theHouse()
    const other = await newSpace()

    expect(await search.query({ space_ids: [other], q: 'boiler pressure' })).toEqual([])
    expect(await search.query({ space_ids: [other], q: '"brass valve"' })).toEqual([])
    expect(await search.query({ space_ids: [other], q: 'the' })).toEqual([])
    expect(await search.query({ space_ids: [], q: 'boiler pressure' })).toEqual([])
    expect(await search.query({ space_ids: [other, space_id], q: 'boiler pressure' })).not.toEqual([])
  })

  test('a word that only another Space knows is still forgiven as a slip here', async () => {
    const { search, ask } = await theHouse()
    const other = await newSpace()
    await search.index(db, {
      space_id: other,
      entity_type: 'page',
      entity_id: randomUUID(),
      title: 'Presure',
      text: 'A name: Presure.',
    })
    await search.warm([other])

    expect((await ask('presure'))[0]).toBe('boiler')
  })
})

describe('changes', () => {
  test('indexing again replaces what was there', async () => {
    const { search, space_id, ask, idOf } = await theHouse()
    await ask('slates')

    const document = {
      space_id,
      entity_type: 'page',
      entity_id: idOf('roof'),
      title: 'Thatch',
      text: 'Reed and straw.',
    }
    await search.index(db, document)

    expect(await ask('slates gutter')).toEqual([])
    expect(await ask('roof survey')).toEqual([])
    expect((await ask('straw'))[0]).toBe('roof')
  })

  test('what is removed is gone', async () => {
    const { search, ask, idOf } = await theHouse()

    await search.remove(db, idOf('boiler'))

    expect(await ask('brass valve pressure')).not.toContain('boiler')
  })

  test('an edit near the top keeps later passages and tells their new lines', async () => {
    const { search, space_id } = await theHouse()
    const document = { space_id, entity_type: 'page', entity_id: randomUUID(), title: 'Log' }
    const later = '# June\n\nRain.\n\n# July\n\nSun.\n\n# August\n\nGlazier came.'
    await search.index(db, { ...document, text: `# May\n\nPlumber came.\n\n${later}` })
    const before = await revisions(document.entity_id)

    await search.index(db, { ...document, text: `# May\n\nPlumber came.\nTwice.\n\n${later}` })

    const [hit] = await search.query({ space_ids: [space_id], q: 'glazier' })
    expect(hit).toMatchObject({ ordinal: 3, start_line: 14, end_line: 16 })
    expect((await revisions(document.entity_id))[3]).toBe(before[3])
    expect((await revisions(document.entity_id))[0]).not.toBe(before[0])
  })

  test('a write that is rolled back leaves every answer as it was', async () => {
    const { search, space_id, ask, idOf } = await theHouse()
    const before = await ask('pressure in the attic')

    const failing = db.transaction(async (tx) => {
      await search.remove(tx, idOf('boiler'))
      const entity_id = randomUUID()
      await search.index(tx, { space_id, entity_type: 'page', entity_id, title: 'Pressure', text: 'Attic.' })
      throw new Error('no')
    })

    await expect(failing).rejects.toThrow('no')
    expect(await ask('pressure in the attic')).toEqual(before)
    expect((await ask('brass'))[0]).toBe('boiler')
  })

  test('another server finds what this one writes, and no longer what this one deletes', async () => {
    const { space_id, search, idOf } = await theHouse()
    const other = createSearch({ db, kinds })
    const ask = (q: string) => other.query({ space_ids: [space_id], q })
    await ask('boiler')

    const entity_id = randomUUID()
    await search.index(db, {
      space_id,
      entity_type: 'page',
      entity_id,
      title: 'Cellar',
      text: 'Damp and quinces.',
    })
    await search.remove(db, idOf('boiler'))

    expect((await ask('quinces'))[0]?.entity_id).toBe(entity_id)
    expect((await ask('quince damp boiler')).map((hit) => hit.entity_id)).not.toContain(idOf('boiler'))
  })

  test('saving one page a thousand times neither loses it nor drowns its words', async () => {
    const search = createSearch({ db, kinds })
    const space_id = await newSpace()
    const page = { space_id, entity_type: 'page', entity_id: randomUUID(), title: 'Draft' }
    const other = { ...page, entity_id: randomUUID(), title: 'Other', text: 'common common' }
    await search.index(db, other)
    for (let turn = 0; turn < 1000; turn += 1) {
      await search.index(db, { ...page, text: `common rarity ${turn}` })
      if (turn % 10 === 0) await search.query({ space_ids: [space_id], q: 'rarity' })
    }

    const hits = await search.query({ space_ids: [space_id], q: 'common rarity' })

    expect(hits.map((hit) => hit.entity_id)).toEqual([page.entity_id, other.entity_id])
    expect(hits.every((hit) => Number.isFinite(hit.score))).toBe(true)
  })
})

describe('bounds', async () => {
  const search = createSearch({ db, kinds })
  const space_id = await newSpace()
  const text = Array.from({ length: 30 }, (_, n) => `## Week ${n}\n\nThe boiler was serviced.`).join('\n\n')
  for (const title of ['Log', 'Diary', 'Letters']) {
    await search.index(db, { space_id, entity_type: 'page', entity_id: randomUUID(), title, text })
  }

  test('a thing with hundreds of the best passages does not keep others from being found', async () => {
    const { search, space_id } = await theHouse()
    const index = async (title: string, text: string) => {
      const page = { space_id, entity_type: 'page', entity_id: randomUUID(), title, text }
      await search.index(db, page)
      return page.entity_id
    }
    const chapter = (n: number) => `## Lanterns ${n}\n\n${'Lantern, lantern, lantern. '.repeat(8)}`
    const book = await index('Lanterns', Array.from({ length: 250 }, (_, n) => chapter(n)).join('\n\n'))
    const others: string[] = []
    for (let n = 0; n < 9; n += 1) {
      const aside = `The crew of boat ${n} rowed home past the mole without a lantern, as the log of that night has it.`
      others.push(await index(`Boat ${n}`, aside))
    }

    const hits = await search.query({ space_ids: [space_id], q: 'lantern', limit: 10 })

    const found = hits.map(({ entity_id }) => entity_id)
    expect(found.filter((id) => id === book)).toHaveLength(3)
    expect(found.slice(3).every((id) => others.includes(id))).toBe(true)
    expect(found).toHaveLength(10)
  })

  test('one entity gives three passages at most', async () => {
    const hits = await search.query({ space_ids: [space_id], q: 'boiler serviced', limit: 50 })

    const perEntity = Object.values(Object.groupBy(hits, (hit) => hit.entity_id)).map(
      (group) => group?.length,
    )
    expect(perEntity.every((count) => (count ?? 0) <= 3)).toBe(true)
    expect(perEntity).toHaveLength(3)
  })

  test('one entity full of the words does not keep others out', async () => {
    const entity_id = randomUUID()
    const long = Array.from({ length: 150 }, (_, n) => `## Valve ${n}\n\nvalve valve`).join('\n\n')
    await search.index(db, {
      space_id,
      entity_type: 'page',
      entity_id: randomUUID(),
      title: 'Valve',
      text: long,
    })
    await search.index(db, {
      space_id,
      entity_type: 'page',
      entity_id,
      title: 'Cellar',
      text: 'The odd valve.',
    })

    const hits = await search.query({ space_ids: [space_id], q: 'valve', limit: 4 })

    expect(hits.map((hit) => hit.entity_id)).toContain(entity_id)
  })

  test.each([
    [1, 1],
    [0, 1],
    [-5, 1],
    [2.7, 2],
  ])('a limit of %d gives %d', async (limit, count) => {
    expect(await search.query({ space_ids: [space_id], q: 'boiler', limit })).toHaveLength(count)
  })

  test.each([
    ['tsquery operators', "boiler & | ! <-> (valve:*A) 'x' \\"],
    ['quotes', `"boiler "" ' “” «» "`],
    ['SQL', "'; drop table chunks; --"],
    ['NUL and lone surrogates', '\0boiler\ud800 \udc00'],
    ['a format directive', '%L %s %I boiler'],
    ['names of properties', 'constructor __proto__ toString boiler'],
    ['a hundred kilobytes', 'boiler serviced week '.repeat(5000)],
    ['a hundred kilobytes without a space', 'boiler'.repeat(17_000)],
    ['many different words', Array.from({ length: 20_000 }, (_, n) => `w${n}`).join(' ')],
    ['many phrases', '"the boiler" '.repeat(1000)],
    ['combining marks', `boiler${'\u0301'.repeat(10_000)}`],
    ['ligatures that grow', 'ﷺ'.repeat(5000)],
    ['emoji', '🚀👩‍👩‍👧 boiler'],
  ])('survives %s', async (_, q) => {
    const hits = await search.query({ space_ids: [space_id], q })

    expect(Array.isArray(hits)).toBe(true)
    expect(hits.every((hit) => Number.isFinite(hit.score))).toBe(true)
  })

  test('any text can be indexed, asked for and removed', async () => {
    const string = fc.oneof(fc.string({ unit: 'binary', maxLength: 3000 }), fc.string({ maxLength: 200 }))
    await fc.assert(
      fc.asyncProperty(string, string, string, async (title, body, q) => {
        const entity_id = randomUUID()
        await search.index(db, { space_id, entity_type: 'page', entity_id, title, text: body })
        await search.query({ space_ids: [space_id], q })
        await search.query({ space_ids: [space_id], q: `"${body}"` })
        await search.remove(db, entity_id)

        const left = await db.query('select 1 from chunks where entity_id = $1', [entity_id])
        expect(left.rows).toEqual([])
      }),
      { numRuns: 60 },
    )
  })

  test('nothing is found where nothing is', async () => {
    expect(await search.query({ space_ids: [await newSpace()], q: 'boiler' })).toEqual([])
  })

  test('maintenance changes no answer', async () => {
    const before = await search.query({ space_ids: [space_id], q: 'boiler' })

    await search.maintain()

    expect(await search.query({ space_ids: [space_id], q: 'boiler' })).toEqual(before)
  })
})

async function revisions(entityId: string): Promise<number[]> {
  const { rows } = await db.query<{ revision: number }>(
    'select revision from chunks where entity_id = $1 order by ordinal',
    [entityId],
  )
  return rows.map(({ revision }) => revision)
}
