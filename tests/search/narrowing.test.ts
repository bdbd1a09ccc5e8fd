// What narrows a search, what stands beside words, and who may find what: over a whole Void.

import { randomUUID } from 'node:crypto'
import { describe, expect, test } from 'vitest'
import type { SearchItem } from '../../lib/contract/space/search.ts'
import { indexConversations } from '../../lib/search/reindex.ts'
import { buildApp } from '../helpers/build-app.ts'
import { makeAgent, makeWorld } from '../helpers/world.ts'

const void_ = await buildApp()
const { owner, deps } = void_
const world = await makeWorld(void_)
const at = `/api/spaces/${world.space.id}`

async function find(query: Record<string, string>, as = owner): Promise<SearchItem[]> {
  const { status, body } = await as.get('/api/search').query({ space_id: world.space.id, ...query })
  if (status !== 200) throw new Error(`${status}: ${JSON.stringify(body)}`)
  return body.items
}
const titles = async (query: Record<string, string>) => (await find(query)).map(({ title }) => title)

/** Something said, long enough ago to be taken in. */
async function say(text: string): Promise<string> {
  const { body } = await owner.post(`${at}/conversations`).send({})
  const id: string = body.id
  await deps.database.query(
    `insert into messages (id, conversation_id, role, body) values ($1, $3, 'user', $4), ($2, $3, 'assistant', $5)`,
    [randomUUID(), randomUUID(), id, text, 'Noted.'],
  )
  await indexConversations(deps, { quiet_since: new Date(Date.now() + 60_000), limit: 100 })
  return id
}

describe('pages of an answer', () => {
  test('go on to the last passage, each once, and say where there is no more', async () => {
    const { body: space } = await owner.post('/api/spaces').send({ name: 'Log books' })
    for (let year = 1; year <= 65; year += 1) {
      const body = `Fog on ${year} days.`
      await owner.post(`/api/spaces/${space.id}/pages`).send({ title: `Log book ${year}`, body })
    }

    const pages: string[][] = []
    for (let cursor: string | undefined; ; ) {
      const query = { space_id: space.id, q: 'fog in the log', limit: 20, ...(cursor && { cursor }) }
      const { body } = await owner.get('/api/search').query(query)
      pages.push(body.items.map(({ title }: SearchItem) => title))
      if (body.next_cursor === null) break
      cursor = body.next_cursor
    }

    expect(pages.map((page) => page.length)).toEqual([20, 20, 20, 5])
    expect(new Set(pages.flat()).size).toBe(65)
  })

  test('a cursor that is none is refused', async () => {
    for (const cursor of ['-1', '0', '1001', 'x']) {
      expect((await owner.get('/api/search').query({ q: 'lamp', cursor })).status).toBe(400)
    }
  })
})

describe('filters', () => {
  test('by status, which only some kinds have', async () => {
    const { body: task } = await owner.post(`${at}/tasks`).send({ title: 'Grease the gallery hinge' })
    await owner.patch(`/api/tasks/${task.id}`).send({ version: task.version, status: 'done' })

    expect(await titles({ q: 'gallery', status: 'done' })).toEqual(['Grease the gallery hinge'])
    expect(await titles({ q: 'gallery', status: 'open,in_progress' })).toEqual(['Paint the gallery rail'])
    expect(await titles({ q: 'lamp oil', status: 'open' })).toEqual([])
    expect(await titles({ q: 'the', status: 'cancelled' })).toEqual([])
  })

  test('by the day of the last change', async () => {
    await deps.database.query("update pages set updated_at = '2020-02-02' where id = $1", [world.lease.id])

    expect(await titles({ q: 'rent crowns', changed_before: '2021-01-01' })).toEqual([world.lease.title])
    expect(await titles({ q: 'rent crowns', changed_after: '2021-01-01' })).not.toContain(world.lease.title)
    expect(
      await titles({ q: 'rent', changed_after: '2020-02-02T00:00:00Z', changed_before: '2020-02-03' }),
    ).toEqual([world.lease.title])
  })

  test.each([
    ['kinds=nonsense', 400],
    ['changed_after=yesterday', 400],
    ['typing=perhaps', 400],
    ['snippet=2', 400],
  ])('%s is refused', async (query, status) => {
    expect((await owner.get(`/api/search?q=oil&${query}`)).status).toBe(status)
  })
})

test('a result says where it stands and shows the words that answer', async () => {
  const [hit] = await find({ q: 'how many litres does the tank hold?', snippet: '60' })

  expect(hit).toMatchObject({ entity_id: world.lamp.id, ordinal: 1, heading_path: ['Oil'] })
  expect(hit?.cite).toBe('The lamp burns rapeseed oil; the tank holds 40 litres and lasts for nine nights.')
  expect(hit?.snippet.filter(({ marked }) => marked).map(({ text }) => text)).toContain('litres')
})

test('a word that is still being typed finds what it may become', async () => {
  expect((await find({ q: 'nauti', typing: 'true' }))[0]?.entity_id).toBe(world.lamp.id)
  // "light" is a word by itself, in another page; only typing makes it a beginning.
  await owner.post(`${at}/pages`).send({ title: 'Glow', body: 'A light.' })
  await owner.post(`${at}/pages`).send({ title: 'Storm', body: 'Lightning struck the mast.' })
  expect(await titles({ q: 'light' })).not.toContain('Storm')
  expect(await titles({ q: 'light', typing: 'true' })).toContain('Storm')
  expect(await titles({ q: 'light ', typing: 'true' })).not.toContain('Storm')
})

describe('links', () => {
  test('what a good hit links to is found, too', async () => {
    await owner.post(`${at}/pages`).send({ title: 'Herbert', body: 'Relief keeper, from Tórshavn.' })
    await owner.post(`${at}/pages`).send({ title: 'Quarantine flag', body: 'Ask [[Herbert]] where it is.' })

    expect(await titles({ q: 'quarantine flag' })).toEqual(['Quarantine flag', 'Herbert'])
    expect(await titles({ q: 'quarantine flag', kinds: 'task' })).toEqual([])
  })

  test('a page that links to everything raises nothing above what answers', async () => {
    const names = Array.from({ length: 30 }, (_, n) => `Buoy ${n}`)
    for (const title of names) await owner.post(`${at}/pages`).send({ title, body: 'Red.' })
    const links = names.map((name) => `[[${name}]]`).join(' ')
    await owner.post(`${at}/pages`).send({ title: 'Sea marks', body: `Inspection of the marks. ${links}` })
    await owner.post(`${at}/pages`).send({ title: 'Inspection log', body: 'Inspection of the sea marks.' })

    const [first, second] = await titles({ q: 'inspection sea marks' })

    expect([first, second].toSorted()).toEqual(['Inspection log', 'Sea marks'])
  })
})

describe('conversations', () => {
  test('what was said is found, behind what is written down', async () => {
    const id = await say('Does the foghorn need diesel or petroleum?')
    await owner.post(`${at}/pages`).send({ title: 'Foghorn', body: 'It needs petroleum.' })

    const found = await find({ q: 'foghorn petroleum diesel need' })

    expect(found[0]?.title).toBe('Foghorn')
    expect(found.find(({ entity_type }) => entity_type === 'conversation')).toMatchObject({
      entity_id: id,
      text: 'Does the foghorn need diesel or petroleum?',
    })
    const said = await find({ q: 'foghorn', kinds: 'conversation' })
    // The answer by its question.
    expect(said.map(({ entity_id, text }) => [entity_id, text])).toEqual([
      [id, 'Does the foghorn need diesel or petroleum?'],
      [id, 'Noted.'],
    ])
  })

  test('an outside agent finds none, by whatever question', async () => {
    await say('The safe opens with 4711 zebra.')
    const { token } = await makeAgent(void_, { slug: 'curious', spaces: [world.space.id] })
    const agent = void_.as(token)

    expect(await find({ q: 'zebra safe' }, agent)).toEqual([])
    expect(await find({ q: 'The safe opens with 4711 zebra.' }, agent)).toEqual([])
    expect(await find({ q: '"4711 zebra"' }, agent)).toEqual([])
    const asked = await agent.get(`/api/search?q=zebra&kinds=conversation&space_id=${world.space.id}`)
    expect(asked.status).toBe(403)
    expect((await find({ q: 'zebra' }))[0]?.entity_type).toBe('conversation')
  })

  test('a deleted one is gone at once, and comes back with it', async () => {
    const id = await say('Where is the walrus kept?')
    const has = async () => (await find({ q: 'walrus' })).some(({ entity_id }) => entity_id === id)
    expect(await has()).toBe(true)

    await deps.database.query('update conversations set deleted_at = now() where id = $1', [id])
    expect(await has()).toBe(false)

    await deps.database.query('update conversations set deleted_at = null where id = $1', [id])
    await indexConversations(deps, { quiet_since: new Date(Date.now() + 60_000), limit: 100 })
    expect(await has()).toBe(true)
  })

  test('the one that asks does not find itself', async () => {
    const id = await say('Is there an albatross?')

    const hits = await deps.search.query({ space_ids: [world.space.id], q: 'albatross', without: id })

    expect(hits).toEqual([])
  })

  test('one that goes on is not taken in until it is quiet', async () => {
    const id = await say('The narwhal is in the boathouse.')
    await deps.database.query(
      "insert into messages (id, conversation_id, role, body) values ($1, $2, 'user', 'And the sextant?')",
      [randomUUID().replace(/^./, 'f'), id],
    )

    expect(await indexConversations(deps, { quiet_since: new Date(Date.now() - 60_000) })).toBe(0)
    expect(await indexConversations(deps, { quiet_since: new Date(Date.now() + 60_000) })).toBe(1)
    expect(await indexConversations(deps, { quiet_since: new Date(Date.now() + 60_000) })).toBe(0)
    expect((await find({ q: 'sextant', kinds: 'conversation' }))[0]?.entity_id).toBe(id)
  })
})
