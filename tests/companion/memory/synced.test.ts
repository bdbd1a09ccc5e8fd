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
