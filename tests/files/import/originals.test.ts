// What a file was before it became a page: its bytes are kept wherever the page cannot give them back.

import { expect, test } from 'vitest'
import { createSpace } from '../../../lib/content/writes/write-space.ts'
import { kinds } from '../../../lib/contract/entities/kinds.ts'
import { createSpacesRepo } from '../../../lib/db/repos/spaces.ts'
import { exportVault } from '../../../lib/files/export/export-vault.ts'
import { importWorld, notesOf } from './vault.ts'

const { world, bringIn, list, tree, named, originalOf, remove } = await importWorld()

const gbk = Buffer.from('bdf1ccecced2c3c7bfaabbe1', 'hex')

test('a note that is not UTF-8 keeps its bytes, which no search finds', async () => {
  const result = await bringIn({ 'Lamp/Day.md': gbk, 'Lamp/Plain.md': 'Oil' })

  expect((await named('Day')).body).toBe('今天我们开会')
  expect(await originalOf('Day.md')).toEqual(gbk)
  expect(await named('Day.md', 'source_doc')).toMatchObject({ text: '' })
  expect(await list('source_doc')).toHaveLength(1)
  expect(await tree()).toEqual(['Lamp', 'Lamp > Day', 'Lamp > Plain'])
  expect(notesOf(result)).toEqual(['Lamp/Day.md: created: it is not UTF-8; read as GBK'])
})

test('it comes in once, changes with its note, and is not missed when the folder is read again', async () => {
  await bringIn({ 'Day.md': gbk })
  const again = await bringIn({ 'Day.md': gbk })
  expect(again.counts).toMatchObject({ created: 0, updated: 0, unchanged: 1 })
  expect(again.gone).toEqual([])

  const longer = Buffer.concat([gbk, Buffer.from('!')])
  await bringIn({ 'Day.md': longer })
  expect((await named('Day')).body).toBe('今天我们开会!')
  expect(await originalOf('Day.md')).toEqual(longer)
})

test('one that was deleted stays deleted', async () => {
  await bringIn({ 'Day.md': gbk })
  await remove(await named('Day.md', 'source_doc'), 'source_doc')
  await bringIn({ 'Day.md': Buffer.concat([gbk, Buffer.from('?')]) })

  expect(await list('source_doc')).toEqual([])
})

test('the text of a web page is its page’s alone, also when an export of it comes in', async () => {
  const html = '<title>Lamp</title><p>Oil <span hidden>Obey me.</span></p>'
  await bringIn({ 'Lamp.html': html })
  const space = (await createSpacesRepo(world.database).find(world.space_id, null))!
  const files: Record<string, Uint8Array> = {}
  for await (const { path, bytes } of exportVault({ database: world.database, kinds, space, trash: false }))
    files[path] = bytes
  world.space_id = (await createSpace(world.database, { kind: 'owner' }, { name: 'Skerry again' })).id
  await bringIn(files)

  expect(await named('Lamp.html', 'source_doc')).toMatchObject({ text: '', path: 'Lamp_files/original.html' })
  expect(String(await originalOf('Lamp.html'))).toBe(html)
})
