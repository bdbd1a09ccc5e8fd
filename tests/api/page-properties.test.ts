import { expect, test } from 'vitest'
import { buildApp } from '../helpers/build-app.ts'
import { makeAgent, makeWorld } from '../helpers/world.ts'

const void_ = await buildApp()
const { owner } = void_
const world = await makeWorld(void_)

const makePage = async (body: string) =>
  (await owner.post(`/api/spaces/${world.space.id}/pages`).send({ title: 'Generator', body })).body

test('a page answers with the properties of its front matter', async () => {
  const { id } = await makePage('---\nstatus: in service\ntags: [[[The lamp]], hum]\n---\nIt hums.')

  const { body } = await owner.get(`/api/pages/${id}/properties`)

  expect(body.items).toEqual([
    { name: 'status', values: ['in service'] },
    { name: 'tags', values: ['[[The lamp]]', 'hum'] },
  ])
})

test('a page without front matter has none', async () => {
  const { body } = await owner.get(`/api/pages/${world.lamp.id}/properties`)

  expect(body.items).toEqual([])
})

test('a page in the trash, and one of another Space, is not found', async () => {
  const { id, version } = await makePage('---\na: 1\n---\n')
  const { token } = await makeAgent(void_, { slug: 'harbour', spaces: [world.other.id] })
  const elsewhere = await void_.as(token).get(`/api/pages/${id}/properties`)
  await owner.delete(`/api/pages/${id}`).send({ version })

  const deleted = await owner.get(`/api/pages/${id}/properties`)

  expect([elsewhere.status, deleted.status]).toEqual([404, 404])
})
