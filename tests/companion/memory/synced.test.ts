// A memory page that is kept in step with a file.

import { expect, test } from 'vitest'
import { connectFolder } from '../../files/folder/synced-folder.ts'

test('a purge rewrites the file of the page, and the line comes back from neither side', async () => {
  const one = await connectFolder()
  const [space] = (await one.owner.get('/api/spaces').expect(200)).body.items
  const { id, path, version } = (await one.owner.get(`/api/spaces/${space.id}/memory`).expect(200)).body
  await one.owner
    .patch(`/api/pages/${id}`)
    .send({ version, body: '- The boat is called Tern.\n- Call me Una.\n' })
    .expect(200)
  await one.settle()
  const before = one.disk.texts()[path]
  one.disk.replace(path, `${before}- I sail on Fridays.\n`)
  await one.settle()
  await one.owner
    .post(`/api/spaces/${space.id}/memory/purge`)
    .send({ text: 'the boat is called Tern' })
    .expect(200)
  await one.settle()
  await one.settle()

  expect(before).toBe('- The boat is called Tern.\n- Call me Una.\n')
  expect(one.disk.texts()[path]).toBe('- Call me Una.\n- I sail on Fridays.\n')
  expect((await one.owner.get(`/api/pages/${id}`)).body.body).toBe('- Call me Una.\n- I sail on Fridays.\n')
  expect(JSON.stringify((await one.owner.get(`/api/audit?entity_id=${id}`)).body.items)).not.toContain('Tern')
})

test('a memory page that changed on both sides at once is held, since no agent may draft it', async () => {
  const one = await connectFolder()
  const page = (await one.owner.get(`/api/spaces/${one.space_id}/memory`).expect(200)).body
  const write = async (version: number, body: string) =>
    (await one.owner.patch(`/api/pages/${page.id}`).send({ version, body }).expect(200)).body.version
  const version = await write(page.version, '- Call me Una.\n')
  await one.settle()
  await write(version, '- Call me Ada.\n')
  one.disk.replace(page.path, '- Call me Bo.\n')
  await one.settle()

  expect((await one.folder()).held).toEqual([
    { path: page.path, reason: expect.stringContaining('changed on both sides') },
  ])
  expect(one.disk.texts()[page.path]).toBe('- Call me Bo.\n')
  expect((await one.owner.get(`/api/pages/${page.id}`)).body.body).toBe('- Call me Ada.\n')
})
