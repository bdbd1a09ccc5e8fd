// The pictures that lie beside drawings of Excalidraw.

import request from 'supertest'
import { expect, test } from 'vitest'
import { buildApp, ownerToken } from '../helpers/build-app.ts'

const { app, owner } = await buildApp()
const svg = (title: string) =>
  Buffer.from(`<svg xmlns="http://www.w3.org/2000/svg" width="10" height="10"><title>${title}</title></svg>`)

const newSpace = async (name: string) => (await owner.post('/api/spaces').send({ name })).body.id
const addPage = async (space: string, fields: object) =>
  (await owner.post(`/api/spaces/${space}/pages`).send(fields)).body
async function addPicture(space: string, path: string) {
  const { body } = await request(app)
    .post(
      `/api/spaces/${space}/attachments?name=${encodeURIComponent(path.slice(path.lastIndexOf('/') + 1))}`,
    )
    .set('authorization', `Bearer ${ownerToken}`)
    .type('application/octet-stream')
    .send(svg(path))
  const moved = await owner.patch(`/api/source-docs/${body.id}`).send({ path, version: body.version ?? 1 })
  expect(moved.status).toBe(200)
  return body.id
}
const linksOf = async (id: string) => (await owner.get(`/api/pages/${id}/links`)).body
const body = '---\nexcalidraw-plugin: parsed\n---\n# Excalidraw Data\n'

test('a drawing has the picture beside it, and so has a link to it', async () => {
  const space = await newSpace('Skerry Light')
  const drawing = await addPage(space, { title: 'Slip', path: 'Boats/Slip.excalidraw.md', body })
  const before = await linksOf(drawing.id)
  await addPicture(space, 'Slip.excalidraw.svg')
  const picture = await addPicture(space, 'Boats/Slip.excalidraw.svg')
  const page = await addPage(space, { title: 'Plan', body: '![[Slip.excalidraw]] [[Plan]]' })

  expect(before).not.toHaveProperty('picture')
  expect(await linksOf(drawing.id)).toMatchObject({ picture })
  const { links } = await linksOf(page.id)
  expect(links[0]).toMatchObject({ to_id: drawing.id, to_picture: picture })
  expect(links[1]).not.toHaveProperty('to_picture')
})

test('a picture in the trash, or in another Space, is none', async () => {
  const [space, other] = [await newSpace('One'), await newSpace('Two')]
  const drawing = await addPage(space, { title: 'Slip', path: 'Slip.excalidraw.md', body })
  await addPicture(other, 'Slip.excalidraw.svg')
  const picture = await addPicture(space, 'Slip.excalidraw.png')
  const shown = await linksOf(drawing.id)
  await owner.delete(`/api/source-docs/${picture}`)

  expect(shown).toMatchObject({ picture })
  expect(await linksOf(drawing.id)).not.toHaveProperty('picture')
})
