// Lists of pages that are saved, and `.base` files that are read as such.

import { beforeEach, expect, test } from 'vitest'
import { buildApp } from '../../helpers/build-app.ts'
import { makeAgent } from '../../helpers/world.ts'

const app = await buildApp()
const { owner } = app
let space = ''

beforeEach(async () => {
  space = (await owner.post('/api/spaces').send({ name: 'Shelf' })).body.id
})

const body = 'filters: rating > 6\nviews:\n  - type: cards\n    name: Best\n    order: [file.name, rating]\n'
const create = async (fields: object = { title: 'Best', body }) =>
  await owner.post(`/api/spaces/${space}/views`).send(fields)

test('a view is a row like any other: version, audit, undo, trash', async () => {
  const { id } = (await create()).body
  const changed = await owner.patch(`/api/views/${id}`).send({ version: 1, title: 'Better' })
  const stale = await owner.patch(`/api/views/${id}`).send({ version: 1, title: 'Worse' })
  const { items } = (await owner.get(`/api/audit?entity_id=${id}`)).body

  expect([changed.status, changed.body.version, stale.status]).toEqual([200, 2, 409])
  expect(items.map(({ action }: { action: string }) => action)).toEqual(['update', 'create'])

  await owner.post(`/api/audit/${items[0].seq}/undo`).send({})
  expect((await owner.get(`/api/views/${id}`)).body).toMatchObject({ title: 'Best', version: 3 })

  await owner.delete(`/api/views/${id}`)
  expect((await owner.get(`/api/spaces/${space}/views`)).body.items).toEqual([])
  await owner.post(`/api/views/${id}/restore`)
  expect((await owner.get(`/api/spaces/${space}/views`)).body.items).toMatchObject([{ id, title: 'Best' }])
})

test('what it shows is read from its text', async () => {
  const { id } = (await create()).body
  const shown = await owner.get(`/api/views/${id}/page-views`)

  expect(shown.body).toMatchObject({
    title: 'Best',
    problem: null,
    views: [
      { name: 'Best', layout: 'cards', filter: { property: 'rating', op: 'gt', value: 6 }, unsupported: [] },
    ],
  })
})

test('an agent reads views and drafts none; one without the Space finds nothing', async () => {
  const { id } = (await create()).body
  const elsewhere = (await owner.post('/api/spaces').send({ name: 'Elsewhere' })).body.id
  const near = app.as((await makeAgent(app, { slug: 'near', spaces: [space] })).token)
  const far = app.as((await makeAgent(app, { slug: 'far', spaces: [elsewhere] })).token)

  expect((await near.get(`/api/views/${id}/page-views`)).status).toBe(200)
  expect(
    (await near.patch(`/api/views/${id}`).send({ version: 1, title: 'x' })).status,
  ).toBeGreaterThanOrEqual(400)
  expect((await far.get(`/api/views/${id}/page-views`)).status).toBe(404)
})

test('an imported .base file is a file, and shows what it says', async () => {
  const base64 = Buffer.from(`${body}    sort:\n      - property: formula.Age\n`).toString('base64')
  await owner
    .post(`/api/spaces/${space}/import`)
    .send({ source: 'vault', files: [{ path: 'Bases/Best.base', base64 }] })
  const { items } = (await owner.get(`/api/spaces/${space}/source-docs`)).body
  const shown = await owner.get(`/api/source-docs/${items[0].id}/page-views`)

  expect(items).toMatchObject([{ title: 'Best.base' }])
  expect(shown.body.views).toMatchObject([{ name: 'Best', unsupported: ['sort by formula.Age'] }])
})

test('a file that is no base says so', async () => {
  const base64 = Buffer.from('just words').toString('base64')
  await owner.post(`/api/spaces/${space}/import`).send({ source: 'desk', files: [{ path: 'a.txt', base64 }] })
  const { items } = (await owner.get(`/api/spaces/${space}/source-docs`)).body
  const shown = await owner.get(`/api/source-docs/${items[0].id}/page-views`)

  expect(shown.body).toMatchObject({ views: [], problem: expect.stringContaining('not a base') })
})
