import { createServer } from 'node:http'
import { afterAll, beforeAll, expect, test } from 'vitest'
import type { SourceFile } from '../../../lib/files/import/file/format.ts'
import { createServerTarget } from '../../../lib/server/cli/import-server-target.ts'
import { asFiles, type Vault } from '../../files/import/vault.ts'
import { buildApp, ownerToken } from '../../helpers/build-app.ts'
import { makeAgent, makeWorld } from '../../helpers/world.ts'

const void_ = await buildApp()
const server = createServer(void_.app)
let url = ''

beforeAll(async () => {
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const address = server.address()
  if (address === null || typeof address === 'string') throw new Error('no port')
  url = `http://127.0.0.1:${address.port}`
})
afterAll(() => new Promise((resolve) => server.close(resolve)))

const target = (more = {}) => createServerTarget({ url, ownerToken, pause: async () => {}, ...more })

async function* each(files: SourceFile[]) {
  yield* files
}

const run = (space_id: string, vault: Vault, gone: string[] = []) => ({
  space_id,
  source: 'keeper',
  files: each([...asFiles(vault), { path: 'link.md', skip: 'it is a symbolic link, which is not followed' }]),
  gone,
  onProgress: () => {},
  signal: new AbortController().signal,
})

test('a running server takes the files, and a second run adds nothing', async () => {
  const vault = {
    ...Object.fromEntries(Array.from({ length: 230 }, (_, n) => [`Log/${n}.md`, `Day ${n}`])),
    'chart.png': new Uint8Array([137, 80, 0, 255]),
  }
  const space = await target().enterSpace('skerry', 'Skerry')
  const first = await target().importFiles(run(space.id, vault))
  const second = await target().importFiles(run(space.id, vault))

  expect(space).toMatchObject({ slug: 'skerry', name: 'Skerry', created: true })
  expect(await target().enterSpace('skerry', 'Other')).toEqual({ ...space, created: false })
  expect(first.counts).toMatchObject({ created: 231, skipped: 1 })
  expect(first.created).toEqual({ page: 230, source_doc: 1, folder: 1 })
  expect(second.counts).toMatchObject({ created: 0, unchanged: 231, skipped: 1 })
  const docs = await void_.owner.get(`/api/spaces/${space.id}/source-docs`)
  expect(docs.body.items).toMatchObject([{ title: 'chart.png', metadata: { path: 'chart.png', size: 4 } }])
})

test('files keep their dates across the wire', async () => {
  const { id: space_id } = await target().enterSpace('dated', 'Dated')
  const modified = '2024-03-05T10:00:00.000Z'
  const files = each(asFiles({ 'a.md': 'one' }).map((file) => ({ ...file, modified })))
  await target().importFiles({ ...run(space_id, {}), files })

  const { body } = await void_.owner.get(`/api/spaces/${space_id}/pages`)
  expect(body.items).toMatchObject([{ title: 'a', created_at: modified, updated_at: modified }])
})

test('moved and missing files are recognised across the wire', async () => {
  const { id: space_id } = await target().enterSpace('moving', 'Moving')
  await target().importFiles(run(space_id, { 'a.md': 'one', 'b.md': 'two' }))
  const present = ['c.md']
  const before = await target().survey({ space_id, source: 'keeper', present })
  const result = await target().importFiles(run(space_id, { 'c.md': 'one' }, before.gone))
  const after = await target().survey({ space_id, source: 'keeper', present })

  expect(before.gone).toEqual(['a.md', 'b.md'])
  expect(result.counts).toMatchObject({ moved: 1, created: 0 })
  expect(after.kept.map(({ path }) => path)).toEqual(['b.md'])
})

test('a folder that was imported under another name is recognised', async () => {
  const { id: space_id } = await target().enterSpace('again', 'Again')
  const vault = Object.fromEntries(Array.from({ length: 8 }, (_, n) => [`${n}.md`, `Day ${n}`]))
  await target().importFiles(run(space_id, vault))
  const ask = (source: string, present: string[]) => target().survey({ space_id, source, present })

  const paths = Object.keys(vault)
  expect((await ask('elsewhere', [...paths, 'new.md'])).lookalike).toEqual({ source: 'keeper', count: 8 })
  expect((await ask('elsewhere', ['0.md', '1.md'])).lookalike).toBeNull()
  expect((await ask('keeper', paths)).lookalike).toBeNull()
})

test('a server that is busy or gone for a moment is asked again', async () => {
  const answers = [
    () => Promise.reject(new TypeError('fetch failed')),
    async () => new Response('', { status: 503 }),
  ]
  const flaky: typeof fetch = async (...call) => await (answers.shift() ?? (() => fetch(...call)))()

  const space = await target({ fetch: flaky }).enterSpace('patient', 'Patient')

  expect(space.created).toBe(true)
})

test('a wrong token, and a server that stays away, are told in a sentence', async () => {
  const gone: typeof fetch = () => Promise.reject(new TypeError('fetch failed'))

  await expect(target({ ownerToken: 'owner_wrong' }).enterSpace('a', 'A')).rejects.toThrow(/Set OWNER_TOKEN/)
  await expect(target({ fetch: gone }).enterSpace('a', 'A')).rejects.toThrow(/does not answer/)
})

test('only the owner imports, only base64, and only into a Space that is there', async () => {
  const { space } = await makeWorld(void_)
  const { token } = await makeAgent(void_, { slug: 'courier' })
  const at = `/api/spaces/${space.id}/import`
  const body = { source: 'keeper', files: [{ path: 'a.md', base64: 'YQ==' }] }
  const nowhere = at.replace(space.id, '00000000-0000-7000-8000-000000000009')

  expect((await void_.as(token).post(at).send(body)).status).toBe(403)
  expect((await void_.as(token).post(`${at}/survey`).send({ source: 'keeper', present: [] })).status).toBe(
    403,
  )
  expect((await void_.owner.post(nowhere).send(body)).status).toBe(404)
  const bad = { source: 'keeper', files: [{ path: 'a.md', base64: '<a>' }] }
  expect((await void_.owner.post(at).send(bad)).status).toBe(400)
  expect((await void_.owner.post(at).send(body)).body.counts).toMatchObject({ created: 1 })
})
