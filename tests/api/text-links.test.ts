// Where the links of a text lead that is stored nowhere.

import { expect, test } from 'vitest'
import { buildApp } from '../helpers/build-app.ts'

const { owner } = await buildApp()

test('links of a text lead to what they name, with its title, and code and strangers lead nowhere', async () => {
  const space = (await owner.post('/api/spaces').send({ name: 'Skerry Light' })).body.id
  const lamp = (
    await owner
      .post(`/api/spaces/${space}/pages`)
      .send({ title: 'The lamp', path: 'Light/Lamp.md', body: 'x' })
  ).body
  const text = '[[Lamp#Oil|it]] [x](Light/Lamp.md) `[[Lamp]]` [[Nowhere]] [y](https://example.org/)'

  const answer = await owner.post(`/api/spaces/${space}/text-links`).send({ text })

  expect(answer.status).toBe(200)
  expect(answer.body.items).toMatchObject([
    {
      form: 'wiki',
      target: 'Lamp',
      heading: 'Oil',
      to_id: lamp.id,
      to_title: 'The lamp',
      to_path: 'Light/Lamp.md',
    },
    { form: 'path', target: 'Light/Lamp.md', to_id: lamp.id, to_title: 'The lamp' },
    { target: 'Nowhere', to_id: null },
  ])
})

test('a link to a drawing has the picture that lies beside it', async () => {
  const space = (await owner.post('/api/spaces').send({ name: 'Drawings' })).body.id
  const path = 'Boats/Slip.excalidraw.md'
  await owner.post(`/api/spaces/${space}/pages`).send({ title: 'Slip', path, body: '# Drawing' })
  const { body: file } = await owner
    .post(`/api/spaces/${space}/attachments?name=Slip.excalidraw.svg`)
    .type('application/octet-stream')
    .send(Buffer.from('<svg xmlns="http://www.w3.org/2000/svg" width="90" height="40"/>'))
  const text = '![[Slip.excalidraw]] [[Slip.excalidraw.svg]]'
  const links = async () =>
    (await owner.post(`/api/spaces/${space}/text-links`).send({ text }).expect(200)).body.items
  const before = await links()
  await owner.patch(`/api/source-docs/${file.id}`).send({ path: 'Boats/Slip.excalidraw.svg', version: 1 })

  expect(before[0]).not.toHaveProperty('to_picture')
  const [drawing, picture] = await links()
  expect(drawing).toMatchObject({ to_path: path, to_picture: file.id })
  expect(picture).toMatchObject({ to_id: file.id })
  expect(picture).not.toHaveProperty('to_picture')
})

test('what is in the trash, or in another Space, is not led to', async () => {
  const spaces = await Promise.all(
    ['One', 'Two'].map(async (name) => (await owner.post('/api/spaces').send({ name })).body.id),
  )
  const page = (await owner.post(`/api/spaces/${spaces[0]}/pages`).send({ title: 'Lamp' })).body
  const to = async (space: string) =>
    (await owner.post(`/api/spaces/${space}/text-links`).send({ text: '[[Lamp]]' })).body.items[0].to_id

  const before = [await to(spaces[0]), await to(spaces[1])]
  await owner.delete(`/api/pages/${page.id}`)

  expect(before).toEqual([page.id, null])
  expect(await to(spaces[0])).toBeNull()
})
