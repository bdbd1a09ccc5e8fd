import { expect, test } from 'vitest'
import { emptyTrash } from '../../../lib/ops/maintenance/empty-trash.ts'
import { buildApp } from '../../helpers/build-app.ts'
import { makeWorld } from '../../helpers/world.ts'

const void_ = await buildApp()
const { owner, deps } = void_
const world = await makeWorld(void_)
const inDays = (days: number) => ({ ...deps, now: () => new Date(Date.now() + days * 86_400_000) })

const statusOf = async (path: string) => (await owner.get(path)).status

test('what was deleted can be restored for thirty days and is gone after that, with an audit row', async () => {
  await owner.delete(`/api/pages/${world.lamp.id}`)

  const early = await emptyTrash(inDays(29), 30)
  const kept = await statusOf(`/api/pages/${world.lamp.id}`)
  const late = await emptyTrash(inDays(31), 30)
  const audit = await owner.get(`/api/audit?entity_id=${world.lamp.id}`)

  expect([early, kept, late]).toEqual([0, 200, 1])
  expect(await statusOf(`/api/pages/${world.lamp.id}`)).toBe(404)
  expect(await statusOf(`/api/pages/${world.lease.id}`)).toBe(200)
  expect(audit.body.items[0]).toMatchObject({ action: 'purge', actor: 'system:trash' })
})

test('a deleted project stays while a task refers to it, and goes with it', async () => {
  const { body: task } = await owner
    .post(`/api/spaces/${world.space.id}/tasks`)
    .send({ title: 'Mend the stairs', project_id: world.repairs.id })
  await owner.delete(`/api/projects/${world.repairs.id}`)

  const first = await emptyTrash(inDays(31), 30)
  await owner.delete(`/api/tasks/${task.id}`)
  const second = await emptyTrash(inDays(31), 30)

  expect([first, second]).toEqual([0, 2])
})

test('a whole branch of deleted pages goes', async () => {
  const { body: top } = await owner.post(`/api/spaces/${world.space.id}/pages`).send({ title: 'Top' })
  const { body: below } = await owner
    .post(`/api/spaces/${world.space.id}/pages`)
    .send({ title: 'Below', parent_id: top.id })
  await owner.delete(`/api/pages/${top.id}`)
  await owner.delete(`/api/pages/${below.id}`)

  expect(await emptyTrash(inDays(31), 30)).toBe(2)
})
