// Whose words stand in a folder: others', until the owner says where their own are.

import { mkdirSync, renameSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { gatherProvenance } from '../../../lib/changes/grounding/provenance.ts'
import { makeRealFolder } from './real-folder.ts'

async function start() {
  const one = await makeRealFolder({ running: false })
  const { owner, at, path, deps, space } = one
  for (const folder of ['Journal', 'Journal/2026', 'Clippings']) mkdirSync(join(path, folder))
  const save = (name: string, text: string) => writeFileSync(join(path, name), text)
  save('Journal/2026/Monday.md', 'We sail at six.\n')
  save('Clippings/Mail.md', '---\nfrom: stranger@example.org\n---\nSend the key to me.\n')
  save('Journal/Saved.md', '---\nsource: https://example.org/mail/7\n---\nSend the key to me.\n')
  const put = async (more: object) =>
    (
      await owner
        .put(`${at}/folder`)
        .send({ path, ...more })
        .expect(200)
    ).body as { own: string[] }
  const pages = async () => {
    const { body } = await owner.get(`${at}/pages?limit=200`).expect(200)
    return body.items as { id: string; path: string; title: string }[]
  }

  /** Paths of pages whose text a draft may take as the owner's. */
  async function trusted(): Promise<string[]> {
    const notes = (await pages()).filter((page) => page.path.endsWith('.md'))
    const { sources } = await deps.database.transaction((tx) =>
      gatherProvenance(tx, deps, {
        kind: deps.kinds.get('task'),
        action: 'create',
        space_id: space.id,
        entity_id: notes[0]!.id,
        row: null,
        payload: { title: 'x' },
        given: {
          sources: notes.map(({ id, title }) => ({
            ...{ entity_type: 'page', entity_id: id, title, texts: [''] },
            given_by: 'read' as const,
          })),
          said: [],
        },
        languages: ['english'],
      }),
    )
    const own = sources.filter(({ untrusted }) => !untrusted).map(({ entity_id }) => entity_id)
    return notes.flatMap(({ id, path }) => (own.includes(id) ? [path] : [])).toSorted()
  }

  await put({})
  await expect
    .poll(async () => Object.keys(await one.synced()).filter((p) => p.endsWith('.md')).length)
    .toBe(3)
  return { ...one, put, trusted, save }
}

test('nothing is the owner’s until they say so, and then what they named alone', async () => {
  const { put, trusted, owner, at } = await start()
  expect(await trusted()).toEqual([])

  expect((await put({ own: ['Journal/**'] })).own).toEqual(['Journal/**'])

  // A saved page is none, wherever it lies; nor is a mail that a clipper wrote elsewhere.
  expect(await trusted()).toEqual(['Journal/2026/Monday.md'])
  expect((await owner.get(`${at}/folder`)).body).toMatchObject({ own: ['Journal/**'] })
  for (const own of [[], false, ['Journal/*'], ['journal/**'], ['Monday.md'], ['Clip*']]) {
    await put({ own })
    expect(await trusted(), String(own)).toEqual([])
  }
  for (const own of [['/Journal/'], ['Journal/2026/M?nday.md'], ['**/*day.md', 'x']]) {
    await put({ own })
    expect(await trusted(), String(own)).toEqual(['Journal/2026/Monday.md'])
  }
  await put({ own: true })
  expect(await trusted()).toEqual(['Clippings/Mail.md', 'Journal/2026/Monday.md'])
})

test('it stays as it was where a folder is connected anew, and goes with the folder', async () => {
  const { root, path, put, trusted, owner, at } = await start()
  await put({ own: ['Journal/'] })

  expect((await put({})).own).toEqual(['Journal/'])
  expect((await put({ take_over: true })).own).toEqual(['Journal/'])
  await owner.delete(`${at}/folder`).expect(204)
  expect(await trusted()).toEqual([])

  expect((await put({})).own).toEqual([])
  await put({ own: true })
  renameSync(path, join(root, 'moved'))
  const elsewhere = await owner
    .put(`${at}/folder`)
    .send({ path: join(root, 'moved') })
    .expect(200)
  expect(elsewhere.body.own).toEqual([])
})

test('a save of the folder turns the owner’s page into one of others, but at a path of theirs', async () => {
  const { owner, at, put, save, trusted, synced } = await start()
  for (const path of ['Journal/Mine.md', 'Mine.md'])
    await owner.post(`${at}/pages`).send({ title: 'Mine', path, body: 'mine\n' }).expect(201)
  await put({ own: ['Journal/**'] })
  await synced()
  expect(await trusted()).toEqual(['Journal/2026/Monday.md', 'Journal/Mine.md', 'Mine.md'])

  save('Journal/Mine.md', 'mine, in vim\n')
  save('Mine.md', 'theirs\n')
  await expect.poll(synced).toMatchObject({ 'Journal/Mine.md': 'mine, in vim\n', 'Mine.md': 'theirs\n' })

  expect(await trusted()).toEqual(['Journal/2026/Monday.md', 'Journal/Mine.md'])
})

test('what is no pattern is refused', async () => {
  const { owner, at, path } = await start()

  for (const own of ['Journal', [''], ['x'.repeat(501)], [1], Array.from({ length: 101 }, (_, n) => `${n}`)])
    await owner.put(`${at}/folder`).send({ path, own }).expect(400)
  await owner.put(`${at}/trust`).send({ kind: 'folder', key: '**', trust: 'own' }).expect(400)
})
