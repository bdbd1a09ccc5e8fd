// The paths of pages and files: given, unique, in step with titles and parents, and followed by links.

import { beforeEach, expect, test } from 'vitest'
import { placeAll } from '../../../lib/content/writes/place-unplaced.ts'
import { kinds } from '../../../lib/contract/entities/kinds.ts'
import { buildApp } from '../../helpers/build-app.ts'

const { owner, deps } = await buildApp()
let space = ''

beforeEach(async () => {
  space = (await owner.post('/api/spaces').send({ name: 'Skerry Light' })).body.id
})

type Page = {
  id: string
  version: number
  title: string
  body: string
  path: string
  parent_id: string | null
}

const make = async (fields: Record<string, unknown>): Promise<Page> => {
  const made = await owner.post(`/api/spaces/${space}/pages`).send(fields)
  expect(made.status).toBe(201)
  return made.body
}
const read = async ({ id }: Pick<Page, 'id'>): Promise<Page> => (await owner.get(`/api/pages/${id}`)).body
const change = async ({ id }: Pick<Page, 'id'>, fields: Record<string, unknown>) =>
  await owner.patch(`/api/pages/${id}`).send({ ...fields, version: (await read({ id })).version })

test('a new page lies in the folder of its parent, under a name that is safe and its own', async () => {
  const lamp = await make({ title: 'Lamp' })
  const oil = await make({ title: 'Oil: A/B?', parent_id: lamp.id })
  const again = await make({ title: 'lamp' })
  const device = await make({ title: 'con' })

  expect([lamp, oil, again, device].map(({ path }) => path)).toEqual([
    'Lamp.md',
    'Lamp/Oil- A-B-.md',
    'lamp (2).md',
    '_con.md',
  ])
})

test('a page at a path gets the title and the parents that it says', async () => {
  const made = await make({ title: 'Alice', path: 'People/Friends/Alice.md' })
  const friends = await read({ id: made.parent_id! })

  expect(friends).toMatchObject({ title: 'Friends', path: 'People/Friends/', body: '' })
  expect(await read({ id: friends.parent_id! })).toMatchObject({ title: 'People', path: 'People/' })
})

test.each([
  ['../out.md', /lead out of its folder/],
  ['a//b.md', /empty folder name/],
  ['/a.md', /starts with a slash/],
  ['con.md', /name of a device/],
  [`${'x'.repeat(300)}.md`, /303 bytes/],
  ['.git/config.md', /hidden/],
])('the path %j is refused with a reason', async (path, reason) => {
  const refused = await owner.post(`/api/spaces/${space}/pages`).send({ title: 'A', path })

  expect(refused.status).toBe(400)
  expect(refused.body.error.message).toMatch(reason)
})

test('a path that is taken, but for its case, is refused', async () => {
  await make({ title: 'Lamp' })
  const refused = await owner.post(`/api/spaces/${space}/pages`).send({ title: 'Other', path: 'LAMP.md' })

  expect(refused.status).toBe(409)
  expect(refused.body.error.code).toBe('path_taken')
})

test('a page that moves takes its folder along, and every link leads where it led', async () => {
  const people = await make({ title: 'People' })
  const alice = await make({
    title: 'Alice',
    parent_id: people.id,
    body: '[home](../Home.md) [[Bob]] [b](Bob.md)',
  })
  await make({ title: 'Bob', parent_id: people.id })
  const home = await make({
    title: 'Home',
    body: '---\nup: "[[People/Alice]]"\n---\n[a](People/Alice.md#Talk) ![[People/Alice|her]] [r]\n\n`[[People/Alice]]`\n\n[r]: <People/Bob.md> "t"',
  })
  const archive = await make({ title: 'Archive' })
  const moved = await change(people, { parent_id: archive.id })

  expect(moved.status).toBe(200)
  expect(await read(alice)).toMatchObject({
    path: 'Archive/People/Alice.md',
    body: '[home](../../Home.md) [[Bob]] [b](Bob.md)',
  })
  expect((await read(home)).body).toBe(
    '---\nup: "[[Archive/People/Alice]]"\n---\n[a](Archive/People/Alice.md#Talk) ![[Archive/People/Alice|her]] [r]\n\n`[[People/Alice]]`\n\n[r]: <Archive/People/Bob.md> "t"',
  )
  const links = (await owner.get(`/api/pages/${home.id}/links`)).body.links
  expect(links.every(({ to_id }: { to_id: string | null }) => to_id !== null)).toBe(true)
})

test('another path is a rename and a move, and its undo goes back', async () => {
  const alice = await make({ title: 'Alice' })
  const home = await make({ title: 'Home', body: '[[Alice]] [a](Alice.md)' })
  expect((await change(alice, { path: 'People/Alice Chen.md' })).status).toBe(200)
  const renamed = await read(alice)
  const body = (await read(home)).body
  const [{ seq }] = (await owner.get(`/api/audit?entity_id=${alice.id}`)).body.items
  await owner.post(`/api/audit/${seq}/undo`).send({}).expect(200)

  expect(renamed).toMatchObject({ title: 'Alice Chen', path: 'People/Alice Chen.md' })
  expect(body).toBe('[[Alice Chen]] [a](People/Alice%20Chen.md)')
  expect(await read(alice)).toMatchObject({ title: 'Alice', path: 'Alice.md', parent_id: null })
  expect((await read(home)).body).toBe('[[Alice]] [a](Alice.md)')
})

test('what a release before left without a path gets one, and its links are read again', async () => {
  const lamp = await make({ title: 'Lamp' })
  const oil = await make({ title: 'Oil', parent_id: lamp.id, body: '[up](../Lamp.md)' })
  const { database } = deps
  await database.query('update pages set path = null where space_id = $1', [space])
  await database.query('delete from entity_paths where space_id = $1', [space])
  await database.query(
    "update links set form = null, target = null, name = 'lamp', to_id = null, to_type = null where space_id = $1",
    [space],
  )

  await placeAll({ database, kinds })

  expect(await read(oil)).toMatchObject({ path: 'Lamp/Oil.md', version: oil.version })
  expect((await owner.get(`/api/pages/${oil.id}/links`)).body.links).toMatchObject([
    { form: 'path', target: '../Lamp.md', to_id: lamp.id, to_title: 'Lamp', to_path: 'Lamp.md' },
  ])
  expect((await read(lamp)).path).toBe('Lamp.md')
})
