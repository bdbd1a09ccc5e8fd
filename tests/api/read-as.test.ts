// The file of an imported page, read in another encoding than the one that was guessed.

import { beforeEach, expect, test } from 'vitest'
import { buildApp } from '../helpers/build-app.ts'

const { owner, deps } = await buildApp()
let space = ''

beforeEach(async () => {
  space = (await owner.post('/api/spaces').send({ name: 'Skerry Light' })).body.id
})

/** The page of a note that was imported with these bytes. */
async function imported(
  bytes: Uint8Array,
): Promise<{ id: string; body: string; title: string; version: number }> {
  const job = (await owner.post(`/api/spaces/${space}/imports`).send({ source: 'vault' })).body
  const base64 = Buffer.from(bytes).toString('base64')
  await owner.post(`/api/imports/${job.id}/files`).send({ files: [{ path: 'note.md', base64 }] })
  await owner.post(`/api/imports/${job.id}/start`)
  await deps.content.imports.idle()
  const { items } = (await owner.get(`/api/spaces/${space}/pages`)).body
  return (await owner.get(`/api/pages/${items.at(-1).id}`)).body
}

const readAs = async (id: string) => (await owner.get(`/api/pages/${id}/place`)).body.read_as

// "Hafen für Öl" in Windows-1252.
const western = Buffer.from('Hafen f\xfcr \xd6l, gro\xdfe M\xe4nner h\xf6ren \xfcber die K\xfcste', 'latin1')

test('a page says what its file was read as, and is read again in what the owner chooses', async () => {
  const page = await imported(western)
  const guessed = await readAs(page.id)

  const answer = await owner
    .post(`/api/pages/${page.id}/read-as`)
    .send({ version: page.version, encoding: 'windows-1251' })
  const back = await owner
    .post(`/api/pages/${page.id}/read-as`)
    .send({ version: answer.body.version, encoding: 'windows-1252' })

  expect(guessed).not.toBeNull()
  expect(answer.status).toBe(200)
  expect(answer.body.body).toContain('fьr')
  expect(back.body.body).toContain('für Öl')
  expect(await readAs(page.id)).toBe('windows-1252')
})

test('a text that was edited, or is UTF-8, is read again in nothing', async () => {
  const page = await imported(western)
  const edited = await owner.patch(`/api/pages/${page.id}`).send({ version: page.version, body: 'Mine.' })
  const refused = await owner
    .post(`/api/pages/${page.id}/read-as`)
    .send({ version: edited.body.version, encoding: 'koi8-r' })

  expect(refused.status).toBe(409)
  expect(refused.body.error.code).toBe('not_guessed')
  expect((await owner.get(`/api/pages/${page.id}`)).body.body).toBe('Mine.')
  expect(await readAs(page.id)).toBeNull()
})

test('an unknown encoding is refused', async () => {
  const page = await imported(western)
  const answer = await owner
    .post(`/api/pages/${page.id}/read-as`)
    .send({ version: page.version, encoding: 'utf-7' })

  expect(answer.status).toBe(400)
})
