// What a link shows before it is followed.

import { expect, test } from 'vitest'
import { buildApp } from '../helpers/build-app.ts'
import { makeAgent } from '../helpers/world.ts'

const built = await buildApp()
const { owner, as } = built
const space = (await owner.post('/api/spaces').send({ name: 'Skerry Light' })).body.id
const at = `/api/spaces/${space}/pages`
const oil = (await owner.post(at).send({ title: 'Oil', body: 'Paraffin.' })).body
const lamp = (
  await owner.post(at).send({
    title: 'The lamp',
    body: '---\nkeeper: "[[Nobody]]"\n---\nIt burns [[Oil]].\n\n## Care\n\nSee [oil](Oil.md) and [[Nowhere]].\n',
  })
).body

const preview = (id: string, query = {}) => owner.get(`/api/pages/${id}/preview`).query(query)

test('a preview begins with the text, and has the links of what it shows alone', async () => {
  const { status, body } = await preview(lamp.id)

  expect(status).toBe(200)
  expect(body).toMatchObject({
    entity_type: 'page',
    id: lamp.id,
    title: 'The lamp',
    headings: [],
    mime: null,
  })
  expect(body.text).toMatch(/^It burns \[\[Oil\]\]\./)
  expect(body.links.map(({ target, to_id }: Record<string, unknown>) => [target, to_id])).toEqual([
    ['Oil', oil.id],
    ['Oil.md', oil.id],
    ['Nowhere', null],
  ])
})

test('a heading and a passage name the part', async () => {
  const care = (await preview(lamp.id, { heading: 'Care' })).body
  const quoted = (await preview(lamp.id, { passage: 'See [oil](Oil.md)' })).body

  expect(care.text).toBe('See [oil](Oil.md) and [[Nowhere]].')
  expect(care.headings).toEqual(['Care'])
  expect(quoted.headings).toEqual(['Care'])
  expect(care.links.map(({ target }: { target: string }) => target)).toEqual(['Oil.md', 'Nowhere'])
})

test('a file says what it is', async () => {
  const made = await owner
    .post(`/api/spaces/${space}/source-docs`)
    .send({ title: 'storm.txt', text: 'The storm of 1911' })

  const { body } = await owner.get(`/api/source-docs/${made.body.id}/preview`)

  expect(body).toMatchObject({ mime: 'text/plain', text: 'The storm of 1911' })
})

test('nobody sees the beginning of what they may not see', async () => {
  const other = (await owner.post('/api/spaces').send({ name: 'Harbour' })).body.id
  const { token } = await makeAgent(built, { slug: 'stranger', spaces: [other] })
  const gone = (await owner.post(at).send({ title: 'Gone', body: 'x' })).body
  await owner.delete(`/api/pages/${gone.id}`).send({ version: 1 })

  expect((await as(token).get(`/api/pages/${lamp.id}/preview`)).status).toBe(404)
  expect((await preview(gone.id)).status).toBe(404)
  expect((await preview('01900000-0000-7000-8000-000000000000')).status).toBe(404)
  expect((await preview(lamp.id, { heading: 'x'.repeat(501) })).status).toBe(400)
})
