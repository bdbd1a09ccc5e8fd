import { expect, test } from 'vitest'
import type { Graph } from '../../lib/contract/space/graph.ts'
import { buildApp } from '../helpers/build-app.ts'
import { makeAgent, makeWorld } from '../helpers/world.ts'

const void_ = await buildApp()
const { owner } = void_
const world = await makeWorld(void_)

async function spaceOf(bodies: Record<string, string>) {
  const { body: space } = await owner
    .post('/api/spaces')
    .send({ name: `Graph ${Object.keys(bodies).join(' ')}` })
  const ids = new Map<string, string>()
  for (const [title, body] of Object.entries(bodies)) {
    const made = await owner.post(`/api/spaces/${space.id}/pages`).send({ title, body })
    ids.set(title, made.body.id)
  }
  return { at: `/api/spaces/${space.id}/graph`, ids }
}

const linksOf = ({ pages, links }: Graph) =>
  links.map(([from, to]) => `${pages[from]?.title} → ${pages[to]?.title}`).sort()

test('pages and the links among them are listed, a link once for each direction', async () => {
  const { at } = await spaceOf({
    Mast: 'See [[Sail]] and [[Sail]] again. #rigging/main',
    Sail: '[[Mast]] [[Sail]] [[Nowhere]]',
    Alone: 'Nothing.',
  })

  const { body } = await owner.get(at)

  expect(body.pages.map(({ title, tags }: Graph['pages'][number]) => [title, tags])).toEqual([
    ['Mast', ['rigging', 'rigging/main']],
    ['Sail', []],
    ['Alone', []],
  ])
  expect(linksOf(body)).toEqual(['Mast → Sail', 'Sail → Mast'])
  expect(body.truncated).toBe(false)
})

test('around a page there are those within so many links, whichever way they lead', async () => {
  const { at, ids } = await spaceOf({ A: '[[B]]', B: '[[C]]', C: '[[D]]', D: '', E: '[[A]]', F: '' })
  const titles = async (query: string) => {
    const { body } = await owner.get(`${at}?${query}`)
    return body.pages.map(({ title }: { title: string }) => title)
  }

  expect(await titles(`around=${ids.get('A')}&steps=1`)).toEqual(['A', 'B', 'E'])
  expect(await titles(`around=${ids.get('A')}`)).toEqual(['A', 'B', 'C', 'E'])
  expect(await titles(`around=${ids.get('F')}`)).toEqual(['F'])
})

test('what is deleted is not in it, and neither is what is elsewhere', async () => {
  const { at, ids } = await spaceOf({ Hull: '[[Keel]]', Keel: '' })
  await owner.delete(`/api/pages/${ids.get('Keel')}`).send({ version: 1 })

  const { body } = await owner.get(at)
  const foreign = await owner.get(`${at}?around=${world.lamp.id}`)
  const gone = await owner.get(`${at}?around=${ids.get('Keel')}`)

  expect(body.pages).toMatchObject([{ title: 'Hull' }])
  expect(body.links).toEqual([])
  expect([foreign.status, gone.status]).toEqual([404, 404])
})

test('an agent sees it where it may read', async () => {
  const { token } = await makeAgent(void_, { slug: 'reader', spaces: [world.space.id], tier: 'read' })
  const reader = void_.as(token)

  expect((await reader.get(`/api/spaces/${world.space.id}/graph`)).status).toBe(200)
  expect((await reader.get(`/api/spaces/${world.other.id}/graph`)).status).not.toBe(200)
})
