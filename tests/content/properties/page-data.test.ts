// What a page holds as data follows its text: in the same transaction, and for pages that were there before.

import { beforeEach, expect, test } from 'vitest'
import { readUnreadPages } from '../../../lib/content/properties/catch-up.ts'
import { createPagePropertiesRepo } from '../../../lib/db/repos/derived.ts'
import { buildApp } from '../../helpers/build-app.ts'
import { makeWorld } from '../../helpers/world.ts'

const app = await buildApp()
const { owner, deps } = app
let space = ''

beforeEach(async () => {
  space = (await makeWorld(app)).space.id
})

const create = async (title: string, body: string) =>
  (await owner.post(`/api/spaces/${space}/pages`).send({ title, body })).body as {
    id: string
    version: number
  }
const tags = async () =>
  (await createPagePropertiesRepo(deps.database).listTags(space, 100)).map(
    ({ name, count }) => `${name} ${count}`,
  )
const names = async () =>
  (await createPagePropertiesRepo(deps.database).listNames(space, 100)).map(({ name, types }) => [
    name,
    ...types,
  ])

test('a page is known by its tags and properties once it is written, changed, deleted and restored', async () => {
  const { id } = await create('Roses', '---\nrating: 7\ntags: [home/garden]\n---\n#red')
  expect(await tags()).toEqual(['home 1', 'home/garden 1', 'red 1'])
  expect(await names()).toEqual([
    ['rating', 'number'],
    ['tags', 'list'],
  ])

  await owner.patch(`/api/pages/${id}`).send({ version: 1, body: '---\nRating: high\n---\n#Red' })
  expect(await tags()).toEqual(['Red 1'])
  expect(await names()).toEqual([['Rating', 'text']])

  await owner.delete(`/api/pages/${id}`)
  expect(await tags()).toEqual([])

  await owner.post(`/api/pages/${id}/restore`)
  expect(await tags()).toEqual(['Red 1'])
})

test('pages are counted over the Space, by the spelling of the oldest', async () => {
  await create('One', '#Garden/Roses #garden')
  await create('Two', '#garden')
  await create('Three', 'nothing')

  expect(await tags()).toEqual(['Garden 2', 'Garden/Roses 1'])
})

test('a write that fails leaves the data as it was', async () => {
  const { id } = await create('One', '#before')

  const stale = await owner.patch(`/api/pages/${id}`).send({ version: 7, body: '#after' })

  expect(stale.status).toBe(409)
  expect(await tags()).toEqual(['before 1'])
})

test('pages that were there before are read in the background, once', async () => {
  await readUnreadPages(deps)
  const one = await create('One', '#one')
  const two = await create('Two', '#two')
  await deps.database.query('delete from page_properties where space_id = $1 and page_id = $2', [
    space,
    one.id,
  ])
  await deps.database.query(
    'update page_properties set reading = 0, tags = $2, tag_names = $2 where space_id = $1',
    [space, []],
  )

  expect(await readUnreadPages(deps)).toBeGreaterThanOrEqual(2)
  expect(await tags()).toEqual(['one 1', 'two 1'])
  expect(await readUnreadPages(deps)).toBe(0)
  expect(two.version).toBe(1)
})

test('links that an earlier release read in another way are read again', async () => {
  const target = await create('Oil', '')
  const head = '---\nid: a\ntitle: T\ndesc: x\nupdated: 1626563273451\ncreated: 1626563273451\n---\n'
  const note = await create('Lamp', `${head}[[the label|Oil]]`)
  await deps.database.query(
    `update links set target = 'the label', name = 'the label', to_type = null, to_id = null where from_id = $1`,
    [note.id],
  )
  await deps.database.query('update page_properties set reading = 3 where page_id = $1', [note.id])

  await readUnreadPages(deps)

  const { links } = (await owner.get(`/api/pages/${note.id}/links`)).body
  expect(links).toMatchObject([{ target: 'Oil', to_id: target.id }])
})

test('one that is in the trash is not read', async () => {
  const { id } = await create('One', '#one')
  await owner.delete(`/api/pages/${id}`)
  await readUnreadPages(deps)

  expect(await tags()).toEqual([])
})
