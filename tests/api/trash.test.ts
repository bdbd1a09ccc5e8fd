import { expect, test } from 'vitest'
import { buildApp } from '../helpers/build-app.ts'
import { makeWorld } from '../helpers/world.ts'

const void_ = await buildApp()
const { owner } = void_
const world = await makeWorld(void_)

test('the trash lists what was deleted in its Space, of all kinds, until it is taken out', async () => {
  await owner.delete(`/api/pages/${world.lamp.id}`)
  await owner.delete(`/api/tasks/${world.paint.id}`)

  const full = await owner.get(`/api/spaces/${world.space.id}/trash`)
  await owner.post(`/api/pages/${world.lamp.id}/restore`)
  const after = await owner.get(`/api/spaces/${world.space.id}/trash`)
  const other = await owner.get(`/api/spaces/${world.other.id}/trash`)

  expect(full.body).toMatchObject({
    days: 30,
    items: [
      { entity_type: 'task', id: world.paint.id, title: 'Paint the gallery rail', deleted_by: 'owner' },
      { entity_type: 'page', id: world.lamp.id, title: 'The lamp' },
    ],
  })
  expect(after.body.items).toMatchObject([{ id: world.paint.id }])
  expect(other.body.items).toEqual([])
})
