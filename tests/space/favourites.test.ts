import { expect, test } from 'vitest'
import { buildApp } from '../helpers/build-app.ts'
import { makeAgent, makeWorld } from '../helpers/world.ts'

const void_ = await buildApp()
const { owner } = void_
const world = await makeWorld(void_)
const path = `/api/spaces/${world.space.id}/favourites`
const put = (page_ids: unknown) => owner.put(path).send({ page_ids })
const titles = async () => (await owner.get(path)).body.items.map(({ title }: { title: string }) => title)

const { body: oil } = await owner.post(`/api/spaces/${world.space.id}/pages`).send({ title: 'Oil' })

test('favourites are in the order that they were put in, and follow renames', async () => {
  await put([oil.id, world.lamp.id]).expect(200)
  expect(await titles()).toEqual(['Oil', 'The lamp'])

  const { body } = await put([world.lamp.id, oil.id])
  expect(body.items.map(({ id }: { id: string }) => id)).toEqual([world.lamp.id, oil.id])

  await owner.patch(`/api/pages/${oil.id}`).send({ version: oil.version, title: 'Rapeseed oil' }).expect(200)
  expect(await titles()).toEqual(['The lamp', 'Rapeseed oil'])
})

test('one in the trash is not shown, and comes back where it was', async () => {
  const { body: tank } = await owner.post(`/api/spaces/${world.space.id}/pages`).send({ title: 'The tank' })
  await put([tank.id, world.lamp.id]).expect(200)
  await owner.delete(`/api/pages/${tank.id}`).send({ version: 1 }).expect(200)
  expect(await titles()).toEqual(['The lamp'])

  await owner.post(`/api/pages/${tank.id}/restore`).send({}).expect(200)
  expect(await titles()).toEqual(['The tank', 'The lamp'])

  await owner.delete(`/api/pages/${tank.id}`).send({ version: 3 }).expect(200)
  await put([world.lamp.id]).expect(200)
  await owner.post(`/api/pages/${tank.id}/restore`).send({}).expect(200)
  expect((await titles()).sort()).toEqual(['The lamp', 'The tank'])
  await put([]).expect(200)
  expect(await titles()).toEqual([])
})

test('what is not a page of the Space is refused, and nothing changes', async () => {
  await put([world.lamp.id]).expect(200)
  const { body: other } = await owner.post(`/api/spaces/${world.other.id}/pages`).send({ title: 'Elsewhere' })

  await put([other.id]).expect(404)
  await put([oil.id, world.space.id]).expect(404)
  await put([oil.id, oil.id]).expect(400)
  await put(['oil']).expect(400)
  await put(Array.from({ length: 51 }, () => oil.id)).expect(400)
  await owner.put(`/api/spaces/${oil.id}/favourites`).send({ page_ids: [] }).expect(404)

  expect(await titles()).toEqual(['The lamp'])
})

test('lists put at once do not fail, and one of them is what is left', async () => {
  const lists = [[oil.id], [world.lamp.id], [world.lamp.id, oil.id], [oil.id, world.lamp.id]]
  const answers = await Promise.all([...lists, ...lists].map((ids) => put(ids)))

  expect(answers.map(({ status }) => status)).toEqual(answers.map(() => 200))
})

test('they are the owner’s', async () => {
  const { token } = await makeAgent(void_, { slug: 'reader', spaces: [world.space.id] })

  const read = await void_.as(token).get(path)
  const written = await void_.as(token).put(path).send({ page_ids: [] })

  expect([read.status, written.status]).toEqual([403, 403])
})
