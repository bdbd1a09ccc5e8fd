// What an import brings in is dated as its files are, so that what was written last is what was written last there.

import { mkdtemp, rm, utimes, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeEach, describe, expect, test } from 'vitest'
import { importFiles } from '../../../lib/files/import/import-files.ts'
import { listFolder, readFiles } from '../../../lib/files/import/read/read-folder.ts'
import { buildApp } from '../../helpers/build-app.ts'
import { makeTar, makeZip } from './make-files.ts'
import { importWorld, type Vault } from './vault.ts'

const { world, bringIn, list, named, edit } = await importWorld()
const app = await buildApp()
const { owner } = app

const march = '2024-03-05T10:00:00.000Z'
const may = '2024-05-05T10:00:00.000Z'
const june = '2024-06-05T10:00:00.000Z'

const datesOf = async (title: string) => {
  const { created_at, updated_at } = await named(title)
  return [created_at, updated_at]
}

/** Whether it has the dates of when it came in. */
const isOfNow = async (title: string) =>
  (await datesOf(title)).every((date) => Date.now() - Date.parse(String(date)) < 3_600_000)

describe('a page has the date of', () => {
  test('its entry in a zip, and in one inside of that', async () => {
    const inner = await makeZip({ 'Wick.md': 'Cotton.' }, { 'Wick.md': may })
    const zip = await makeZip({ 'Oil.md': 'Forty litres.', 'more.zip': inner }, { 'Oil.md': march })

    await bringIn({ 'vault.zip': zip })

    expect(await datesOf('Oil')).toEqual([march, march])
    expect(await datesOf('Wick')).toEqual([may, may])
  })

  test('its entry in a tar', async () => {
    await bringIn({ 'vault.tar': makeTar({ 'Oil.md': 'Forty litres.' }, { 'Oil.md': march }) })

    expect(await datesOf('Oil')).toEqual([march, march])
  })

  test('its file on disk', async () => {
    const folder = await mkdtemp(join(tmpdir(), 'void-dates-'))
    afterAll(() => rm(folder, { recursive: true }))
    await writeFile(join(folder, 'Oil.md'), 'Forty litres.')
    await utimes(join(folder, 'Oil.md'), new Date(may), new Date(march))

    await importFiles({ ...world, source: 'disk', files: readFiles((await listFolder(folder)).files) })

    expect(await datesOf('Oil')).toEqual([march, march])
  })

  test('its note in the app that an export is of, whatever the file says', async () => {
    const note = `<note><title>Oil</title><created>20240305T100000Z</created><updated>20240505T100000Z</updated>
      <content><![CDATA[<en-note>Forty litres.</en-note>]]></content></note>`
    const enex = `<?xml version="1.0"?><en-export>${note}</en-export>`

    await bringIn({ 'vault.zip': await makeZip({ 'Notes.enex': enex }, { 'Notes.enex': june }) })

    expect(await datesOf('Oil')).toEqual([march, may])
  })

  test('the manifest of an export, whatever the archive says', async () => {
    const manifest = {
      void: 1,
      space: { slug: 'keeper', name: 'Keeper', description: '' },
      documents: {},
      dates: { 'Oil.md': [march, may] },
    }
    const files = { 'void.json': JSON.stringify(manifest), 'Oil.md': 'Forty litres.', 'Wick.md': 'Cotton.' }

    await bringIn({ 'vault.zip': await makeZip(files, { 'Oil.md': june, 'Wick.md': june }) })

    expect(await datesOf('Oil')).toEqual([march, may])
    expect(await datesOf('Wick')).toEqual([june, june])
  })

  test.each([
    ['in the future', '2097-01-01T00:00:00Z'],
    ['before 1980', '1979-06-01T00:00:00Z'],
    ['that is zero in an archive', '1980-01-01T00:00:00Z'],
  ])('its import, where the file has one %s', async (_name, date) => {
    await bringIn({ 'vault.zip': await makeZip({ 'Oil.md': 'Forty litres.' }, { 'Oil.md': date }) })
    await bringIn({ 'vault.tar': makeTar({ 'Wick.md': 'Cotton.' }, { 'Wick.md': date }) }, 'other')

    expect(await isOfNow('Oil')).toBe(true)
    expect(await isOfNow('Wick')).toBe(true)
  })

  test('a manifest only where that may be true', async () => {
    const dates = { 'Oil.md': [march, '9999-01-01T00:00:00Z'] }
    const space = { slug: 'keeper', name: 'Keeper', description: '' }
    const manifest = JSON.stringify({ void: 1, space, documents: {}, dates })

    await bringIn({ 'void.json': manifest, 'Oil.md': 'Forty litres.' })

    expect((await datesOf('Oil'))[0]).toBe(march)
    expect(Date.parse(String((await datesOf('Oil'))[1]))).toBeLessThanOrEqual(Date.now())
  })
})

test('front matter of a vault dates nothing, and a file that is kept as it is has the date of its import', async () => {
  const note = '---\ncreated: 2001-01-01\nupdated: 2002-02-02\n---\nForty litres.'
  const files: Vault = { 'Oil.md': note, 'log.bin': new Uint8Array([0, 1, 2]) }

  await bringIn({ 'vault.zip': await makeZip(files, { 'Oil.md': march, 'log.bin': march }) })

  expect(await datesOf('Oil')).toEqual([march, march])
  const document = await named('log.bin', 'source_doc')
  expect(document.created_at > june).toBe(true)
})

test('the page of a folder is as old as the first file in it, or as the note that describes it', async () => {
  const files = { 'Lamp/Oil.md': 'Forty litres.', 'Boats/Sloop.md': 'Fast.' }
  const dates = { 'Lamp/Oil.md': march, 'Boats/Sloop.md': may }
  const from = { ...world, source: 'keeper' }
  const bytes = (text: string) => new TextEncoder().encode(text)

  await bringIn({ 'vault.zip': await makeZip(files, dates) })
  expect(await datesOf('Lamp')).toEqual([march, march])
  expect(await datesOf('Boats')).toEqual([may, may])

  const paths = ['Tower/Stairs.md', 'Tower/Tower.md']
  const late = paths.map((path, at) => ({ path, bytes: bytes(path), modified: at === 0 ? june : march }))
  await importFiles({ ...from, files: late })
  expect(await datesOf('Tower')).toEqual([march, march])
})

describe('a second import', () => {
  const note = async (text: string, date: string) =>
    await bringIn({ 'vault.zip': await makeZip({ 'Oil.md': text }, { 'Oil.md': date }) })

  test('dates what has changed as its file, and never back', async () => {
    await note('Forty litres.', march)
    await note('Forty litres.', may)
    expect(await datesOf('Oil')).toEqual([march, march])

    await note('Fifty litres.', may)
    expect(await datesOf('Oil')).toEqual([march, may])

    await note('Sixty litres.', march)
    expect((await named('Oil')).body).toBe('Sixty litres.')
    expect(await datesOf('Oil')).toEqual([march, may])
  })

  test('leaves the date of what the owner has edited since', async () => {
    await note('Forty litres.', march)
    const edited = await edit(await named('Oil'), { body: 'Mine.' })

    await note('Fifty litres.', may)

    expect(await named('Oil')).toMatchObject({ body: 'Mine.', updated_at: edited.updated_at })
    expect(Date.now() - Date.parse(edited.updated_at)).toBeLessThan(3_600_000)
  })

  test('keeps the dates of notes that have moved', async () => {
    const bytes = new TextEncoder().encode('Forty litres.')
    const from = { ...world, source: 'keeper' }
    await importFiles({ ...from, files: [{ path: 'Oil.md', bytes, modified: march }] })

    const moved = [{ path: 'Stores/Oil.md', bytes, modified: march }]
    await importFiles({ ...from, files: moved, gone: ['Oil.md'] })

    expect((await named('Oil')).path).toBe('Stores/Oil.md')
    expect(await datesOf('Oil')).toEqual([march, march])
  })
})

describe('over HTTP', () => {
  let space = ''
  let spaces = 0
  beforeEach(async () => {
    spaces += 1
    space = (
      await owner
        .post('/api/spaces')
        .send({ name: `Skerry ${spaces}` })
        .expect(201)
    ).body.id
  })
  const base64 = (text: string) => Buffer.from(text).toString('base64')
  const home = async () => (await owner.get(`/api/spaces/${space}/overview`).expect(200)).body
  const recent = async () =>
    (await home()).recent_pages.map(({ title, updated_at }: Record<string, string>) => [title, updated_at])

  async function newJob(source = 'notes') {
    const { body } = await owner.post(`/api/spaces/${space}/imports`).send({ source }).expect(201)
    return body.id as string
  }
  async function act(id: string, what: 'start' | 'undo') {
    await owner.post(`/api/imports/${id}/${what}`).expect(202)
    await app.deps.content.imports.idle()
    return (await owner.get(`/api/imports/${id}`).expect(200)).body
  }

  test('files are uploaded with their dates, one or many, and Home has first what was written last', async () => {
    const id = await newJob('/home/ada/house-vault')
    const files = [
      { path: 'Oil.md', base64: base64('Forty litres.'), modified_at: march },
      { path: 'Wick.md', base64: base64('Cotton.'), modified_at: june },
      { path: 'Stores/Empty.md', base64: base64('') },
    ]
    await owner.post(`/api/imports/${id}/files`).send({ files }).expect(200)
    await owner
      .post(`/api/imports/${id}/file?path=Lens.md&modified_at=${may}`)
      .set('content-type', 'application/octet-stream')
      .send(Buffer.from('Glass.'))
      .expect(200)
    await act(id, 'start')

    expect(await recent()).toEqual([
      ['Wick', june],
      ['Lens', may],
      ['Oil', march],
    ])
    const { imported } = await home()
    expect(imported).toMatchObject({ source: '/home/ada/house-vault' })
    expect(Date.now() - Date.parse(imported.at)).toBeLessThan(3_600_000)

    await owner.post(`/api/spaces/${space}/pages`).send({ title: 'By hand', body: 'Mine.' }).expect(201)
    expect((await recent()).map(([title]: string[]) => title)).toEqual(['By hand', 'Wick', 'Lens', 'Oil'])
  })

  test('a call that imports at once takes dates, and refuses what is none', async () => {
    const files = [{ path: 'Oil.md', base64: base64('Forty litres.'), modified_at: march }]
    await owner.post(`/api/spaces/${space}/import`).send({ source: 'notes', files }).expect(200)
    expect(await recent()).toEqual([['Oil', march]])

    const bad = [{ ...files[0], modified_at: 'yesterday' }]
    await owner.post(`/api/spaces/${space}/import`).send({ source: 'notes', files: bad }).expect(400)
    const id = await newJob()
    await owner.post(`/api/imports/${id}/files`).send({ files: bad }).expect(400)
    await owner.post(`/api/imports/${id}/file?path=a.md&modified_at=yesterday`).send('a').expect(400)
  })

  test('an import that is undone is not the writing of now', async () => {
    const run = async (text: string, modified_at: string) => {
      const id = await newJob()
      const files = [{ path: 'Oil.md', base64: base64(text), modified_at }]
      await owner.post(`/api/imports/${id}/files`).send({ files }).expect(200)
      await act(id, 'start')
      return id
    }
    const first = await run('Forty litres.', march)
    const second = await run('Fifty litres.', may)

    await act(second, 'undo')
    const { body: page } = await owner.get(`/api/spaces/${space}/pages`)
    expect(page.items[0].body).toBe('Forty litres.')
    expect(await recent()).toEqual([['Oil', may]])

    await act(first, 'undo')
    expect(await recent()).toEqual([])
    expect((await home()).imported).toBeNull()
  })

  test('a history says when the text came in', async () => {
    const files = [{ path: 'Oil.md', base64: base64('Forty litres.'), modified_at: march }]
    await owner.post(`/api/spaces/${space}/import`).send({ source: 'notes', files }).expect(200)
    const { body: pages } = await owner.get(`/api/spaces/${space}/pages`).expect(200)
    const { body: history } = await owner.get(`/api/pages/${pages.items[0].id}/history`).expect(200)

    expect(Date.now() - Date.parse(history.items[0].at)).toBeLessThan(3_600_000)
  })
})

test('files of one date all have it', async () => {
  const names = Array.from({ length: 60 }, (_, at) => `Note ${at}.md`)
  const files = Object.fromEntries(names.map((name) => [name, name]))
  await bringIn({ 'vault.zip': await makeZip(files, Object.fromEntries(names.map((name) => [name, may]))) })

  expect(new Set((await list('page')).map(({ updated_at }) => updated_at))).toEqual(new Set([may]))
})
