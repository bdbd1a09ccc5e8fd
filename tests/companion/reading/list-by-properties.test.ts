import { expect, test } from 'vitest'
import { listByProperties } from '../../../lib/companion/reading/list-space.ts'
import { buildApp } from '../../helpers/build-app.ts'
import { makeWorld } from '../../helpers/world.ts'

const void_ = await buildApp()
const { owner, deps } = void_
const world = await makeWorld(void_)
const make = async (title: string, matter: string, fields = {}) =>
  (
    await owner
      .post(`/api/spaces/${world.space.id}/pages`)
      .send({ title, body: `---\n${matter}\n---\n`, ...fields })
  ).body
const shelf = await make('Shelf', 'kind: place')
await make('Salt Roads', 'author: "[[Tomas Beck]]"\nrating: 6\ntags: [sea]', { parent_id: shelf.id })
await make('Knots', 'author: "[[Marta Eide]]"\nrating: 8\nyear: 1988', { parent_id: shelf.id })
await make('Tide', 'author: ["[[Marta Eide]]", Ann]\nrating: 9\ntags: [sea/birds]')

const list = async (request: object) => {
  const asked = { space_id: world.space.id, limit: 12, ...request }
  const { items, found, more } = await listByProperties(deps.database, asked)
  return { titles: items.map(({ title }) => title), found, more, items }
}

test.each([
  [['author = Marta Eide'], ['Knots', 'Tide']],
  [
    ['author = Marta Eide | Tomas Beck', 'rating < 9'],
    ['Knots', 'Salt Roads'],
  ],
  [['rating >= 8'], ['Knots', 'Tide']],
  [
    ['rating != 6', 'rating > 0'],
    ['Knots', 'Tide'],
  ],
  [['tag = sea'], ['Salt Roads', 'Tide']],
  [['any = marta eide'], ['Knots', 'Tide']],
  [['any = Shelf'], ['Knots', 'Salt Roads']],
  [['folder = Shelf'], ['Knots', 'Salt Roads']],
  [['year = 1988'], ['Knots']],
  [['name = salt'], ['Salt Roads']],
  [['any = Nobody'], []],
])('%j', async (where, titles) => {
  expect(await list({ where })).toMatchObject({ titles, found: titles.length, more: false })
})

test('sorted, with the values that were asked about, page by page', async () => {
  const first = await list({ where: ['author = Marta Eide | Tomas Beck'], sort: '-rating', limit: 2 })
  const rest = await list({
    ...{ where: ['author = Marta Eide | Tomas Beck'], sort: '-rating', limit: 2 },
    after: first.items.at(-1)!.id,
  })

  expect([first.titles, rest.titles]).toEqual([['Tide', 'Knots'], ['Salt Roads']])
  expect([first.more, rest.more, rest.found]).toEqual([true, false, 3])
  expect(first.items[0]?.properties).toEqual({ author: 'Marta Eide, Ann', rating: '9' })
})

test.each([
  [{ where: ['rating'] }, /“rating” is not a condition/],
  [{ where: ['= 7'] }, /is not a condition/],
  [{ where: Array(9).fill('rating > 1') }, /at most 8/],
  [{ where: ['rating > 1'], kind: 'task' }, /apply only to pages/],
  [{ sort: 'rating', below: '00000000-0000-7000-8000-000000000001' }, /apply only to pages/],
])('%j is refused', async (request, message) => {
  await expect(list(request)).rejects.toThrow(message)
})

test('what looks like SQL is a value like any other, and another Space is never seen', async () => {
  const { space_id: other } = { space_id: world.other.id }

  expect((await list({ where: ["any = x' or true --"] })).titles).toEqual([])
  expect((await list({ where: ["x'; drop table pages; -- = 1"] })).titles).toEqual([])
  expect((await list({ where: ['rating > 0'], space_id: other })).titles).toEqual([])
})
