// The Welcome Space of a first start, which listens before it is filled.

import { beforeEach, expect, test } from 'vitest'
import { fillWelcome, openWelcome, welcome } from '../../../lib/files/import/welcome.ts'
import { buildApp } from '../../helpers/build-app.ts'

let built: Awaited<ReturnType<typeof buildApp>>
const parts = () => ({ database: built.deps.database, ...built.deps.content })
const shown = async () => {
  const { body } = await built.owner.get('/api/spaces').expect(200)
  const [space] = body.items
  const { body: pages } = await built.owner.get(`/api/spaces/${space.id}/pages?limit=100`).expect(200)
  return {
    space,
    spaces: body.items.length,
    titles: pages.items.map(({ title }: { title: string }) => title),
  }
}

beforeEach(async () => {
  built = await buildApp()
})

test('is there at once, and filled once', async () => {
  const space = await openWelcome(built.deps.database)
  const before = await shown()

  await fillWelcome(parts(), space!)
  const after = await shown()
  await welcome(parts())

  expect(before).toMatchObject({ spaces: 1, space: { name: 'Welcome', description: '' }, titles: [] })
  expect(after.titles).toContain('Using curl')
  expect(after.space.description).toMatch(/^How Void works/)
  expect(await shown()).toEqual(after)
})

test('is filled by the next start where a server died before it was done, without anything twice', async () => {
  await fillWelcome(parts(), (await openWelcome(built.deps.database))!)
  const whole = await shown()
  // As a server leaves it that died behind the last page.
  await built.deps.database.query("update spaces set description = '', version = 1")

  const left = await openWelcome(built.deps.database)
  await fillWelcome(parts(), left!)
  const after = await shown()

  expect(left?.id).toBe(whole.space.id)
  expect(after.titles.toSorted()).toEqual(whole.titles.toSorted())
  expect(await openWelcome(built.deps.database)).toBeNull()
})

test('is filled once by two servers that start together', async () => {
  const space = (await openWelcome(built.deps.database))!
  const seen = await openWelcome(built.deps.database)

  await Promise.all([fillWelcome(parts(), space), fillWelcome(parts(), seen!)])
  const { titles, space: filled } = await shown()

  expect(titles).toContain('Using curl')
  expect(titles.toSorted()).toEqual([...new Set(titles)].toSorted())
  expect(filled.version).toBe(2)
})

test('is the owner’s once they changed it, also while it is filled', async () => {
  const space = (await openWelcome(built.deps.database))!
  await built.owner.patch(`/api/spaces/${space.id}`).send({ version: 1, name: 'Mine' }).expect(200)

  await fillWelcome(parts(), space)

  expect((await shown()).space).toMatchObject({ name: 'Mine', description: '', version: 2 })
  expect(await openWelcome(built.deps.database)).toBeNull()
})

test('is not made again once it was deleted', async () => {
  const space = (await openWelcome(built.deps.database))!
  await built.owner.delete(`/api/spaces/${space.id}`).expect(200)

  await fillWelcome(parts(), space).catch(() => {})

  expect(await openWelcome(built.deps.database)).toBeNull()
})
