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
