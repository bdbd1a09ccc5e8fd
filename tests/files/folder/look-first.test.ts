// What is changed in Void while its file changed unseen: stale, as by any edit, and never merged silently.

import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { makeAgent } from '../../helpers/world.ts'
import { makeRealFolder } from './real-folder.ts'

async function start() {
  const one = await makeRealFolder({ running: false })
  const { owner, at, path } = one
  const save = (name: string, text: string) => writeFileSync(join(path, name), text)
  const read = (name: string) => readFileSync(join(path, name), 'utf8')
  save('a.md', 'one\n\ntwo\n\nthree\n')
  save('b.md', 'other\n')
  await owner.put(`${at}/folder`).send({ path }).expect(200)
  await expect.poll(async () => Object.keys(await one.synced()).toSorted()).toEqual(['a.md', 'b.md'])
  const { token } = await makeAgent(one, { slug: 'clerk', spaces: [one.space.id] })
  const agent = one.as(token)
  const page = async (path: string) => {
    const { body } = await owner.get(`${at}/pages?limit=200`).expect(200)
    return body.items.find((row: { path: string }) => row.path === path)
  }
  const draft = async (path: string, body: string) => {
    const { id, version } = await page(path)
    const sent = await agent.patch(`/api/pages/${id}`).send({ version, body, reason: 'Better' }).expect(202)
    return sent.body
  }
  return { ...one, save, read, page, draft }
}

const byAgent = 'one\n\ntwo\n\nthree, by the agent\n'
const inVim = 'one, in vim\n\ntwo\n\nthree\n'

test('an approval is stale where the file was saved a moment ago, and says what changed', async () => {
  const { owner, save, read, page, draft, sync } = await start()
  const { id } = await draft('a.md', byAgent)

  save('a.md', inVim)
  const { body } = await owner.post(`/api/pending-changes/${id}/approve`).send({}).expect(409)

  expect(body.error.code).toBe('stale_version')
  expect(body.error.details.current.body).toBe(inVim)
  expect(body.error.details.since).toMatchObject([{ version: 2, by: 'system:folder' }])
  await sync()
  expect([(await page('a.md')).body, read('a.md')]).toEqual([inVim, inVim])
  // Reviewed again, both are in it.
  const again = await owner.post(`/api/pending-changes/${id}/review-again`).send({}).expect(200)
  await owner.post(`/api/pending-changes/${again.body.id}/approve`).send({}).expect(200)
  await sync()
  expect(read('a.md')).toBe('one, in vim\n\ntwo\n\nthree, by the agent\n')
})

test('so is that of a part, and of a changeset, of which nothing is applied', async () => {
  const { owner, save, page, draft } = await start()
  const part = await draft('a.md', byAgent)
  save('a.md', inVim)
  const approval = { hunks: { body: [0] }, fields: ['body'] }
  const answer = await owner.post(`/api/pending-changes/${part.id}/approve`).send(approval).expect(409)
  expect(answer.body.error.code).toBe('stale_version')

  const whole = await draft('b.md', 'other, by the agent\n')
  save('b.md', 'other, in vim\n')
  const { body } = await owner
    .post(`/api/changesets/${whole.changeset_id}/approve`)
    .send({ payloads: { [whole.id]: whole.payload_sha256 } })
    .expect(409)

  expect(body.error.details.failed.code).toBe('stale_version')
  expect((await page('b.md')).body).toBe('other, in vim\n')
})

test.each([{ body: 'in Void\n' }, { path: 'moved.md' }, { title: 'Another' }])(
  'an edit or a rename in Void is stale: %o',
  async (change) => {
    const { owner, save, read, page } = await start()
    const { id, version } = await page('a.md')

    save('a.md', inVim)
    const { body } = await owner
      .patch(`/api/pages/${id}`)
      .send({ version, ...change })
      .expect(409)

    expect(body.error.code).toBe('stale_version')
    expect(body.error.details.current).toMatchObject({ path: 'a.md', body: inVim })
    expect(read('a.md')).toBe(inVim)
  },
)

test('a file that was saved with the text that it had makes nothing stale', async () => {
  const { owner, save, page, draft } = await start()
  const { id } = await draft('a.md', byAgent)
  save('a.md', 'one\n\ntwo\n\nthree\n')

  await owner.post(`/api/pending-changes/${id}/approve`).send({}).expect(200)

  expect((await page('a.md')).body).toBe(byAgent)
})

test('while it is paused, an approval goes on', async () => {
  const { owner, save, page, draft, at } = await start()
  const { id } = await draft('a.md', byAgent)
  await owner.post(`${at}/folder/pause`).send({}).expect(200)
  save('a.md', inVim)

  await owner.post(`/api/pending-changes/${id}/approve`).send({}).expect(200)

  expect((await page('a.md')).body).toBe(byAgent)
})

test('an undo, a deletion and a restored page look first, too', async () => {
  const { owner, at, save, read, page, sync } = await start()
  const { id, version } = await page('a.md')
  const inVoid = 'one\n\ntwo, in Void\n\nthree\n'
  await owner.patch(`/api/pages/${id}`).send({ version, body: inVoid }).expect(200)
  await sync()
  const { body: history } = await owner.get(`/api/audit?entity_id=${id}&limit=1`).expect(200)

  save('a.md', 'one\n\ntwo, in Void and vim\n\nthree\n')
  const undone = await owner.post(`/api/audit/${history.items[0].seq}/undo`).send({}).expect(409)
  expect(undone.body.error.code).toBe('undo_conflict')
  expect(read('a.md')).toContain('and vim')

  const seen = (await page('a.md')).version
  save('a.md', 'later\n')
  const refused = await owner.delete(`/api/pages/${id}`).send({ version: seen }).expect(409)
  expect(refused.body.error.code).toBe('stale_version')
  expect(Object.keys(await pagesOf())).toContain('a.md')

  // A page in the trash whose file lives on is back with the text of the file.
  const now = (await page('a.md')).version
  await owner.delete(`/api/pages/${id}`).send({ version: now }).expect(200)
  save('a.md', 'written after the deletion\n')
  await owner.post(`/api/pages/${id}/restore`).send({})
  await sync()
  expect((await pagesOf())['a.md']).toBe('written after the deletion\n')
  expect(read('a.md')).toBe('written after the deletion\n')

  async function pagesOf(): Promise<Record<string, string>> {
    const { body } = await owner.get(`${at}/pages?limit=200`).expect(200)
    return Object.fromEntries(body.items.map((row: Record<string, string>) => [row.path, row.body]))
  }
})
