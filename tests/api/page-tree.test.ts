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
