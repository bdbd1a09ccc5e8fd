// What comes back from the trash is found by every name that led to it before.

import { beforeEach, expect, test } from 'vitest'
import { createLinkIndex } from '../../../lib/content/links/link-index.ts'
import type { EntityWrite } from '../../../lib/content/writes/store-entity.ts'
import { createLinksRepo } from '../../../lib/db/repos/links.ts'
import { buildApp } from '../../helpers/build-app.ts'

const {
  owner,
  deps: { database, content },
} = await buildApp()
let space = ''

beforeEach(async () => {
  space = (await owner.post('/api/spaces').send({ name: 'Skerry Light' })).body.id
})

type Page = { id: string; version: number; title: string }

const write = (write: EntityWrite) =>
  database.transaction((tx) => content.writer.write(tx, write, { actor: { kind: 'owner' } }))
const make = (fields: { title: string; body?: string }, path?: string) =>
  write({ action: 'create', type: 'page', space_id: space, fields, path })
const rename = async ({ id }: Pick<Page, 'id'>, title: string) => {
  const { version } = (await owner.get(`/api/pages/${id}`)).body
  await owner.patch(`/api/pages/${id}`).send({ title, version }).expect(200)
}
const remove = (id: string) => owner.delete(`/api/pages/${id}`).expect(200)
const restore = (id: string) => owner.post(`/api/pages/${id}/restore`).send({}).expect(200)
const targets = async ({ id }: { id: string }) =>
  (await createLinksRepo(database).listFrom(space, id)).map(({ to_id }) => to_id)

const body = '[[The lamp]] [[light]] [[notes/lamps/Old lamp]] [[Old lamp]] [[Former lamp]]'

/** A page with a title, an alias, a path and a former name. */
async function makeLamp() {
  const lamp = await make(
    { title: 'Former lamp', body: '---\naliases: [Light]\n---\n' },
    'notes/lamps/Old lamp.md',
  )
  await rename(lamp, 'The lamp')
  const place = { space_id: space, entity_type: 'page', entity_id: lamp.id }
  await database.transaction((tx) => createLinkIndex(tx).keepNames(place, ['former lamp']))
  return lamp
}

test('a link by title, alias, path, its tail and a former name leads there before and after', async () => {
  const lamp = await makeLamp()
  const page = await make({ title: 'One', body })
  const before = await targets(page)

  await remove(lamp.id)
  const meanwhile = await targets(page)
  await restore(lamp.id)

  expect(before).toEqual(Array(5).fill(lamp.id))
  expect(meanwhile).toEqual(Array(5).fill(null))
  expect(await targets(page)).toEqual(before)
})

test('so do links by name that were written while it was in the trash', async () => {
  const lamp = await makeLamp()
  await remove(lamp.id)
  const page = await make({ title: 'One', body })
  await restore(lamp.id)

  expect(await targets(page)).toEqual(Array(5).fill(lamp.id))
})

test('a name that something else has by now stays with that one, where it is better', async () => {
  const lamp = await makeLamp()
  const page = await make({ title: 'One', body })
  await remove(lamp.id)
  const next = await make({ title: 'Old lamp' })
  await restore(lamp.id)

  expect(await targets(page)).toEqual([lamp.id, lamp.id, lamp.id, next.id, lamp.id])
})

test('the undo of a delete restores as well', async () => {
  const lamp = await makeLamp()
  const page = await make({ title: 'One', body })
  await remove(lamp.id)
  const [{ seq }] = (await owner.get(`/api/audit?entity_id=${lamp.id}`)).body.items
  await owner.post(`/api/audit/${seq}/undo`).send({}).expect(200)

  expect(await targets(page)).toEqual(Array(5).fill(lamp.id))
})

test('an empty page of a folder, whose title gives way to any other, still does', async () => {
  const folder = await make({ title: 'Lamps' }, 'Lamps/')
  const titled = await make({ title: 'Lamps' })
  const page = await make({ title: 'One', body: '[[Lamps]]' })
  const before = await targets(page)
  await remove(folder.id)
  await restore(folder.id)

  expect(before).toEqual([titled.id])
  expect(await targets(page)).toEqual(before)
})
