// The order of backlinks is theirs, not that in which the database finds the titles.

import { expect, test } from 'vitest'
import { withTitles } from '../../../lib/content/links/backlinks.ts'
import { buildApp } from '../../helpers/build-app.ts'

const { owner, deps } = await buildApp()

test('titles are added in the order of what they are of, kind by kind, once each, and to nothing that is gone', async () => {
  const space = (await owner.post('/api/spaces').send({ name: 'Harbour' })).body.id
  const create = async (path: string, title: string) =>
    (await owner.post(`/api/spaces/${space}/${path}`).send({ title })).body.id as string
  const [ada, bo, cy] = [
    await create('pages', 'Ada'),
    await create('pages', 'Bo'),
    await create('pages', 'Cy'),
  ]
  const task = await create('tasks', 'Paint')
  await owner.delete(`/api/pages/${bo}`)
  const page = (id: string) => ({ entity_type: 'page', entity_id: id })
  const asked = [page(cy), { entity_type: 'task', entity_id: task }, page(bo), page(ada), page(cy)]

  const titled = await withTitles(deps.database, deps.kinds, space, asked)

  expect(titled.map(({ title }) => title)).toEqual(['Cy', 'Ada', 'Paint'])
})

test('a page that much links to lists all of it', async () => {
  const space = (await owner.post('/api/spaces').send({ name: 'Hub' })).body.id
  const hub = (await owner.post(`/api/spaces/${space}/pages`).send({ title: 'Hub' })).body.id
  for (let at = 0; at < 60; at += 1)
    await owner
      .post(`/api/spaces/${space}/pages`)
      .send({ title: `Spoke ${at}`, body: '[[Hub]]' })
      .expect(201)

  const { body } = await owner.get(`/api/pages/${hub}/links`).expect(200)

  expect(body.backlinks).toHaveLength(60)
})
