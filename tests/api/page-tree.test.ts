import { expect, test } from 'vitest'
import { buildApp } from '../helpers/build-app.ts'
import { makeAgent, makeWorld } from '../helpers/world.ts'

const void_ = await buildApp()
const { owner } = void_
const world = await makeWorld(void_)
const at = `/api/spaces/${world.space.id}`

const { body: oil } = await owner
  .post(`${at}/pages`)
  .send({ title: 'Oil deliveries', parent_id: world.lamp.id })
const { body: tank } = await owner.post(`${at}/pages`).send({ title: 'The tank', parent_id: oil.id })

test('a page tells what is above it, from the top, and right below it', async () => {
  const { body } = await owner.get(`/api/pages/${oil.id}/place`)

  expect(body.above).toEqual([{ id: world.lamp.id, title: 'The lamp' }])
  expect(body.below).toMatchObject([{ id: tank.id, title: 'The tank', has_children: false }])
})

test('the tree opens as many levels as are asked for', async () => {
  const one = await owner.get(`${at}/page-tree`)
  const two = await owner.get(`${at}/page-tree?levels=2`)
  const titles = (body: { items: { title: string }[] }) => body.items.map(({ title }) => title)

  expect(titles(one.body)).toEqual(["Lease of the keeper's house", 'The lamp'])
  expect(titles(two.body)).toEqual(["Lease of the keeper's house", 'The lamp', 'Oil deliveries'])
})

test('a page is found by a part of its title, with the titles above it, in its own Space alone', async () => {
  await owner.post(`/api/spaces/${world.other.id}/pages`).send({ title: 'The other tank' })

  const { body } = await owner.get(`${at}/page-titles?q=TANK`)

  expect(body.items).toMatchObject([
    {
      id: tank.id,
      above: [
        { id: world.lamp.id, title: 'The lamp' },
        { id: oil.id, title: 'Oil deliveries' },
      ],
    },
  ])
})

test('an agent sees the tree of its own Spaces and no other', async () => {
  const { token } = await makeAgent(void_, { slug: 'harbour', spaces: [world.other.id] })
  const agent = void_.as(token)

  const answers = [
    await agent.get(`/api/pages/${oil.id}/place`),
    await agent.get(`${at}/page-titles?q=oil`),
    await agent.get(`${at}/page-tree?levels=2`),
  ]

  expect(answers.map(({ status }) => status)).toEqual([404, 404, 404])
})

test('a page brings along the pages that it shows, three steps down, each once and with its links', async () => {
  const make = async (title: string, body: string, space = world.space.id) =>
    (await owner.post(`/api/spaces/${space}/pages`).send({ title, body })).body
  await make('Step four', 'Four.')
  await make('Step three', 'Three. ![[Step four]]')
  await make('Step two', 'Two. ![[Step three]] ![[Step one]]')
  const one = await make('Step one', 'One. ![[Step two]] [[The tank]]')
  const gone = await make('Step gone', 'Gone.')
  await make('Step elsewhere', 'Secret.', world.other.id)
  const top = await make('Top', '![[Step one]] ![[Step one]] ![[Step gone]] ![[Step elsewhere]] [[The lamp]]')
  await owner.delete(`/api/pages/${gone.id}`).send({ version: 1 })

  const { body } = await owner.get(`/api/pages/${top.id}/embeds`)
  const round = await owner.get(`/api/pages/${one.id}/embeds`)

  const titles = (answer: { items: { title: string }[] }) => answer.items.map(({ title }) => title)
  expect(titles(body)).toEqual(['Step one', 'Step two', 'Step three'])
  expect(body.items[0]).toMatchObject({ id: one.id, body: 'One. ![[Step two]] [[The tank]]' })
  expect(body.items[0].links).toMatchObject([
    { name: 'step two', embed: true, to_type: 'page' },
    { name: 'the tank', embed: false, to_id: tank.id },
  ])
  expect(titles(round.body)).toEqual(['Step two', 'Step three', 'Step four'])
})

test('an agent gets what a page shows only in its Spaces', async () => {
  const { token } = await makeAgent(void_, { slug: 'embedder', spaces: [world.other.id] })

  const { status } = await void_.as(token).get(`/api/pages/${world.lamp.id}/embeds`)

  expect(status).toBe(404)
})

test('another name of a page is suggested with its title when it is asked for, in its own Space', async () => {
  const body = '---\naliases: [Dynamo, Old hummer]\n---\nIt hums.'
  const { body: page } = await owner.post(`${at}/pages`).send({ title: 'Generator', body })
  await owner.post(`/api/spaces/${world.other.id}/pages`).send({ title: 'Spare', body })

  const found = await owner.get(`/api/suggest?q=dyn&aliases=true&space_id=${world.space.id}`)
  const without = await owner.get(`/api/suggest?q=dyn&space_id=${world.space.id}`)
  await owner.delete(`/api/pages/${page.id}`).send({ version: 1 })
  const deleted = await owner.get(`/api/suggest?q=dyn&aliases=true&space_id=${world.space.id}`)

  expect(found.body.items).toMatchObject([{ entity_id: page.id, title: 'Generator', alias: 'dynamo' }])
  expect(without.body.items).toEqual([])
  expect(deleted.body.items).toEqual([])
})

type Tree = {
  items: { id: string; title: string; parent_id: string | null }[]
  levels: { parent_id: string | null; from: number; count: number }[]
}
const list = async (space: string, query = ''): Promise<Tree> =>
  (await owner.get(`/api/spaces/${space}/page-tree?${query}`).expect(200)).body
const titlesBelow = ({ items }: Tree, id: string | null) =>
  items.filter(({ parent_id }) => parent_id === id).map(({ title }) => title)
const makeMany = (space: string, parent: string | null, count: number) =>
  void_.deps.database.query(
    `insert into pages (id, space_id, title, parent_id, position, created_by, updated_by)
     select gen_random_uuid(), $1, 'Volume ' || lpad(n::text, 4, '0'), $2, n / 100, 'owner', 'owner'
     from generate_series(1, $3::integer) as n`,
    [space, parent, count],
  )

test('a level of any size is listed whole, a part at a time, with the number of its pages', async () => {
  const { body: shelf } = await owner.post(`${at}/pages`).send({ title: 'Shelf' }).expect(201)
  await makeMany(world.space.id, shelf.id, 640)

  const parts = await Promise.all(
    [0, 300, 600].map((from) => list(world.space.id, `below=${shelf.id}&from=${from}`)),
  )
  const titles = [...new Set(parts.flatMap((part) => titlesBelow(part, shelf.id)))]

  expect(titles).toHaveLength(640)
  expect(titles).toEqual(titles.toSorted())
  // The last part is whole, too.
  expect(parts.map(({ levels }) => levels)).toEqual(
    [0, 300, 340].map((from) => [{ parent_id: shelf.id, from, count: 640 }]),
  )
  const behind = await list(world.space.id, `below=${shelf.id}&from=900000000`)
  expect(titlesBelow(behind, shelf.id)).toEqual(titles.slice(340))
})

test('the tree reaches down to the page that is open, wherever in its level it is', async () => {
  const { body: other } = await owner.post('/api/spaces').send({ name: 'Deep' })
  await makeMany(other.id, null, 900)
  const high = (await list(other.id, 'from=700')).items[50]!
  await makeMany(other.id, high.id, 640)
  const inner = (await list(other.id, `below=${high.id}&from=500`)).items[60]!
  await makeMany(other.id, inner.id, 2)

  const tree = await list(other.id, `open=${inner.id}`)

  const placeOf = (id: string, parent: string | null) => {
    const level = tree.levels.find(({ parent_id }) => parent_id === parent)!
    return (
      level.from +
      tree.items.filter(({ parent_id }) => parent_id === parent).findIndex((each) => each.id === id)
    )
  }
  expect([placeOf(high.id, null), placeOf(inner.id, high.id)]).toEqual([650, 400])
  expect(titlesBelow(tree, inner.id)).toEqual(['Volume 0001', 'Volume 0002'])
  expect(tree.levels.map(({ parent_id, count }) => [parent_id, count])).toEqual([
    [null, 900],
    [inner.id, 2],
    [high.id, 640],
  ])
})

test('what is below a page in the trash is counted and placed at the top', async () => {
  const { body: other } = await owner.post('/api/spaces').send({ name: 'Flat' })
  await makeMany(other.id, null, 310)
  const { body: gone } = await owner.post(`/api/spaces/${other.id}/pages`).send({ title: 'Gone' })
  await makeMany(other.id, gone.id, 10)
  await owner.delete(`/api/pages/${gone.id}`).send({ version: 1 }).expect(200)

  const rest = await list(other.id, 'from=290')
  const opened = await list(other.id, `open=${rest.items.at(-1)!.id}`)

  expect(rest.levels).toEqual([{ parent_id: null, from: 20, count: 320 }])
  expect(rest.items).toHaveLength(300)
  expect(opened.items.map(({ id }) => id)).toEqual(rest.items.map(({ id }) => id))
})

test.each(['from=-1', 'from=1.5', 'from=x', 'from=1e99', 'below=x'])(
  'a part is refused where it is %s',
  async (query) => {
    const { status } = await owner.get(`${at}/page-tree?${query}`)

    expect(status).toBe(400)
  },
)
