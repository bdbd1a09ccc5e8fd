// Pages listed by what their texts hold as data.

import { beforeEach, describe, expect, test } from 'vitest'
import type { PageFilter, PageList } from '../../../lib/contract/space/pages.ts'
import { buildApp } from '../../helpers/build-app.ts'
import { makeAgent, makeWorld } from '../../helpers/world.ts'

const app = await buildApp()
const { owner } = app
let space = ''

beforeEach(async () => {
  space = (await owner.post('/api/spaces').send({ name: 'Shelf' })).body.id
})

const create = async (title: string, body = '', more = {}): Promise<string> =>
  (await owner.post(`/api/spaces/${space}/pages`).send({ title, body, ...more })).body.id

type Asked = {
  tag?: string
  where?: unknown
  sort?: unknown
  columns?: unknown
  cursor?: string
  limit?: number
}

const ask = async ({ where, sort, columns, ...asked }: Asked) =>
  await owner.get(`/api/spaces/${space}/page-list`).query({
    ...asked,
    ...(where === undefined ? {} : { where: JSON.stringify(where) }),
    ...(sort === undefined ? {} : { sort: JSON.stringify(sort) }),
    ...(columns === undefined ? {} : { columns: JSON.stringify(columns) }),
  })
const list = async (asked: Asked): Promise<PageList> => {
  const answer = await ask(asked)
  expect([answer.status, answer.body.error]).toEqual([200, undefined])
  return answer.body
}
const titles = async (asked: Asked) => (await list(asked)).items.map(({ title }) => title)

async function makeShelf(): Promise<void> {
  await create('Books')
  await create(
    'Dune',
    '---\nrating: 7\nauthor: "[[Herbert]]"\nread: 2026-02-03\ncategories: ["[[Books]]"]\nown: true\n---',
  )
  await create(
    'Emma',
    '---\nrating: 10\nauthor: Austen\nread: 2026-02-03T09:30\ncategories: ["[[Lists/Books|x]]", Old]\n---',
  )
  await create(
    'Faust',
    '---\nrating: good\nauthor: Goethe\nread:\ncategories: [Plays]\nown: false\n---\n#drama/german',
  )
  await create('Ærø', '#drama')
}

describe('a filter', () => {
  beforeEach(makeShelf)

  test.each<[string, PageFilter, string[]]>([
    ['a number', { property: 'rating', op: 'is', value: 7 }, ['Dune']],
    ['numbers by size, not as texts', { property: 'rating', op: 'gt', value: 8 }, ['Emma']],
    ['a name in any case', { property: 'RATING', op: 'lte', value: 10 }, ['Dune', 'Emma']],
    ['a text in any case', { property: 'author', op: 'is', value: 'AUSTEN' }, ['Emma']],
    ['a part of a text', { property: 'author', op: 'contains', value: 'oet' }, ['Faust']],
    ['a beginning', { property: 'author', op: 'starts_with', value: 'Au' }, ['Emma']],
    ['an end', { property: 'author', op: 'ends_with', value: 'the' }, ['Faust']],
    ['texts by size', { property: 'author', op: 'lt', value: 'B' }, ['Emma']],
    ['a link', { property: 'author', op: 'is', value: '[[herbert]]' }, ['Dune']],
    [
      'a link in a list, however it is written',
      { property: 'categories', op: 'contains', value: '[[Books]]' },
      ['Dune', 'Emma'],
    ],
    ['an item of a list as a whole', { property: 'categories', op: 'contains', value: 'Ol' }, []],
    ['an item or the value as a whole', { property: 'author', op: 'has', value: 'Goethe' }, ['Faust']],
    ['no part of a value as a whole', { property: 'author', op: 'has', value: 'oeth' }, []],
    ['a property without a value, too', { property: 'read', op: 'exists' }, ['Dune', 'Emma', 'Faust']],
    ['a list of one', { property: 'categories', op: 'is', value: 'plays' }, ['Faust']],
    ['a checkbox', { property: 'own', op: 'is', value: true }, ['Dune']],
    ['a checkbox that is off', { property: 'own', op: 'is', value: false }, ['Faust']],
    ['a day, also of a time', { property: 'read', op: 'is', value: '2026-02-03' }, ['Dune', 'Emma']],
    ['before a day', { property: 'read', op: 'lt', value: '2026-02-03' }, []],
    ['up to a day', { property: 'read', op: 'lte', value: '2026-02-03' }, ['Dune', 'Emma']],
    ['after a time', { property: 'read', op: 'gt', value: '2026-02-03T09:00' }, ['Emma']],
    ['nothing', { property: 'read', op: 'empty' }, ['Books', 'Faust', 'Ærø']],
    ['something', { property: 'read', op: 'not_empty' }, ['Dune', 'Emma']],
    [
      'anything else, also nothing',
      { property: 'rating', op: 'is_not', value: 7 },
      ['Books', 'Emma', 'Faust', 'Ærø'],
    ],
    ['not a part', { property: 'file.name', op: 'not_contains', value: 'u' }, ['Books', 'Emma', 'Ærø']],
    ['its name', { property: 'file.name', op: 'is', value: 'ærø' }, ['Ærø']],
    [
      'a tag, also one nested in it',
      { property: 'file.tags', op: 'contains', value: '#Drama' },
      ['Faust', 'Ærø'],
    ],
    ['a link in its text', { property: 'file', op: 'links_to', value: 'Books' }, ['Dune', 'Emma']],
    ['when it was made', { property: 'file.ctime', op: 'lt', value: '2001-01-01' }, []],
    [
      'all of several',
      {
        and: [
          { property: 'rating', op: 'gt', value: 1 },
          { property: 'own', op: 'is', value: true },
        ],
      },
      ['Dune'],
    ],
    [
      'any of several',
      {
        or: [
          { property: 'rating', op: 'is', value: 7 },
          { property: 'rating', op: 'is', value: 'good' },
        ],
      },
      ['Dune', 'Faust'],
    ],
    ['none of them', { not: { or: [{ property: 'author', op: 'not_empty' }] } }, ['Books', 'Ærø']],
    ['no condition', { and: [] }, ['Books', 'Dune', 'Emma', 'Faust', 'Ærø']],
    ['a name that means something to a database', { property: 'x\'y"; --', op: 'is', value: "'" }, []],
    ['a name of every object', { property: 'constructor', op: 'not_empty' }, []],
  ])('%s', async (_, where, found) => {
    const { items, count } = await list({ where })

    expect(items.map(({ title }) => title)).toEqual(found)
    expect(count).toBe(found.length)
  })

  test('a tag, with or without a sign before it', async () => {
    expect(await titles({ tag: 'drama' })).toEqual(['Faust', 'Ærø'])
    expect(await titles({ tag: '#Drama/German' })).toEqual(['Faust'])
    expect(await titles({ tag: 'dram' })).toEqual([])
  })
})

test('a folder is the pages above, by their titles', async () => {
  const notes = await create('Notes')
  const øst = await create('Øst', '', { parent_id: notes })
  await create('Boat', '', { parent_id: øst })
  await create('Notes on boats')
  const inFolder = (value: string): PageFilter => ({ property: 'file', op: 'in_folder', value })

  expect(await titles({ where: inFolder('notes') })).toEqual(['Boat', 'Øst'])
  expect(await titles({ where: inFolder('/Notes/Øst/') })).toEqual(['Boat'])
  expect(await titles({ where: inFolder('Note') })).toEqual([])
  expect(await titles({ where: { property: 'file.path', op: 'contains', value: 'st/boat.md' } })).toEqual([
    'Boat',
  ])
})

describe('the order', () => {
  beforeEach(makeShelf)

  test.each([
    [[], ['Books', 'Dune', 'Emma', 'Faust', 'Ærø']],
    [[{ property: 'rating' }], ['Dune', 'Emma', 'Faust', 'Books', 'Ærø']],
    [[{ property: 'rating', direction: 'desc' }], ['Faust', 'Emma', 'Dune', 'Books', 'Ærø']],
    [[{ property: 'file.name', direction: 'desc' }], ['Ærø', 'Faust', 'Emma', 'Dune', 'Books']],
    [
      [{ property: 'own' }, { property: 'rating', direction: 'desc' }],
      ['Faust', 'Dune', 'Emma', 'Books', 'Ærø'],
    ],
    [[{ property: 'file.ctime', direction: 'desc' }], ['Ærø', 'Faust', 'Emma', 'Dune', 'Books']],
  ])('%j', async (sort, found) => {
    expect(await titles({ sort })).toEqual(found)

    const walked: string[] = []
    let cursor: string | undefined
    do {
      const page = await list({ sort, limit: 2, ...(cursor ? { cursor } : {}) })
      walked.push(...page.items.map(({ title }) => title))
      cursor = page.next_cursor ?? undefined
    } while (cursor)
    expect(walked).toEqual(found)
  })
})

test('the values asked for come in their order, with where their links lead', async () => {
  const books = await create('Books')
  await create('Dune', '---\nrating: 7\nauthor: "[[Nobody]]"\nin: ["[[Books]]"]\n---\n#a/b [[Other]]')

  const { items } = await list({
    where: { property: 'rating', op: 'is', value: 7 },
    columns: ['in', 'Author', 'none', 'file.name'],
  })

  expect(items[0]).toMatchObject({
    title: 'Dune',
    tags: ['a/b'],
    values: [['[[Books]]'], '[[Nobody]]', null, 'Dune'],
    links: [
      { name: 'nobody', to_type: null, to_id: null },
      { name: 'books', to_type: 'page', to_id: books },
    ],
  })
})

test('the place of a page is the titles above it', async () => {
  const notes = await create('Notes')
  await create('Boat', '', { parent_id: await create('Øst', '', { parent_id: notes }) })

  const { items } = await list({ columns: ['file.path', 'file.folder'] })

  expect(items.map(({ values }) => values)).toEqual([
    ['Notes/Øst/Boat.md', 'Notes/Øst'],
    ['Notes.md', ''],
    ['Notes/Øst.md', 'Notes'],
  ])
})

test.each([
  ['where', '{'],
  ['where', JSON.stringify({ property: 'a', op: 'like', value: 1 })],
  ['where', JSON.stringify({ property: 'a', op: 'is', value: 1, and: [] })],
  ['where', `${'{"not":'.repeat(200)}{"and":[]}${'}'.repeat(200)}`],
  ['where', JSON.stringify({ and: Array.from({ length: 51 }, () => ({ and: [] })) })],
  ['sort', JSON.stringify(Array.from({ length: 6 }, () => ({ property: 'a' })))],
  ['columns', JSON.stringify(Array.from({ length: 31 }, () => 'a'))],
  ['columns', '"a"'],
])('%s %s is refused', async (name, value) => {
  const answer = await owner.get(`/api/spaces/${space}/page-list`).query({ [name]: value })

  expect([answer.status, answer.body.error.code]).toEqual([400, 'invalid'])
})

test('NUL and half of a pair in a filter find nothing, and break nothing', async () => {
  const where = String.raw`{"property":"a\u0000\ud800","op":"contains","value":"b\u0000\ud800"}`
  const answer = await owner.get(`/api/spaces/${space}/page-list`).query({ where })

  expect([answer.status, answer.body.items]).toEqual([200, []])
})

test('a Space is walled: others’ pages, tags and names are not in its lists, and an agent needs the Space', async () => {
  await create('One', '---\nrating: 1\n---\n#one')
  const other = (await makeWorld(app)).space.id
  const { token } = await makeAgent(app, { slug: 'reader', spaces: [other] })

  for (const path of ['page-list', 'tags', 'page-properties']) {
    expect((await app.as(token).get(`/api/spaces/${space}/${path}`)).status).toBe(404)
    expect((await app.as(token).get(`/api/spaces/${other}/${path}`)).status).toBe(200)
  }
  const elsewhere = (await owner.get(`/api/spaces/${other}/tags`)).body.items
  expect(elsewhere.map(({ tag }: { tag: string }) => tag)).not.toContain('one')
})

test('the tags and the properties of a Space are listed', async () => {
  await create('One', '---\nRating: 1\n---\n#Home/Garden')
  await create('Two', '---\nrating: x\nup: "[[One]]"\n---\n#home')

  expect((await owner.get(`/api/spaces/${space}/tags`)).body.items).toEqual([
    { tag: 'home', name: 'Home', count: 2 },
    { tag: 'home/garden', name: 'Home/Garden', count: 1 },
  ])
  expect((await owner.get(`/api/spaces/${space}/page-properties`)).body.items).toEqual([
    { key: 'rating', name: 'Rating', types: ['number', 'text'], count: 2 },
    { key: 'up', name: 'up', types: ['link'], count: 1 },
  ])
})

test('a search takes tag: among its words, and alone', async () => {
  await create('One', 'A lamp burns. #Home/Garden')
  await create('Two', 'A lamp burns. #home')
  await create('Three', 'A lamp burns.')
  const found = async (q: string) =>
    (await owner.get('/api/search').query({ q, space_id: space, group: 'entity' })).body.items
      .map(({ title }: { title: string }) => title)
      .sort()

  expect(await found('lamp')).toEqual(['One', 'Three', 'Two'])
  expect(await found('lamp tag:home')).toEqual(['One', 'Two'])
  expect(await found('TAG:#home/garden')).toEqual(['One'])
  expect(await found('tag:home tag:home/garden lamp')).toEqual(['One'])
  expect(await found('lamp tag:none')).toEqual([])
})
