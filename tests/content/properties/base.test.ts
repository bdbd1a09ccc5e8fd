// `.base` files as Obsidian writes them, read into lists of pages; what is not understood is named, never guessed.

import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { readBase } from '../../../lib/content/properties/base/read-base.ts'
import { PageFilter, PageView } from '../../../lib/contract/space/pages.ts'
import { slowShapes } from '../../helpers/growth.ts'

const first = (text: string) => readBase(text).views[0]!
const filterOf = (expression: string) => first(JSON.stringify({ filters: expression }))

describe('an expression', () => {
  test.each<[string, PageFilter]>([
    ['rating > 6', { property: 'rating', op: 'gt', value: 6 }],
    ['note.rating >= 6.5', { property: 'rating', op: 'gte', value: 6.5 }],
    ['note["my rating"] == -1', { property: 'my rating', op: 'is', value: -1 }],
    ['6 < rating', { property: 'rating', op: 'gt', value: 6 }],
    ['status != "done"', { property: 'status', op: 'is_not', value: 'done' }],
    ["status == 'it\\'s'", { property: 'status', op: 'is', value: "it's" }],
    ['due == date("2026-03-01")', { property: 'due', op: 'is', value: '2026-03-01' }],
    ['up == link("The Coast")', { property: 'up', op: 'is', value: '[[The Coast]]' }],
    ['x == null', { property: 'x', op: 'empty' }],
    ['x != ""', { property: 'x', op: 'not_empty' }],
    ['done == true', { property: 'done', op: 'is', value: true }],
    ['last.isEmpty()', { property: 'last', op: 'empty' }],
    ['!last.isEmpty()', { not: { property: 'last', op: 'empty' } }],
    ['not(empty(note.last))', { not: { property: 'last', op: 'empty' } }],
    [
      '!file.name.contains("Template")',
      { not: { property: 'file.name', op: 'contains', value: 'Template' } },
    ],
    ['categories.contains(link("Books"))', { property: 'categories', op: 'has', value: '[[Books]]' }],
    ['list(categories).contains(link("Books"))', { property: 'categories', op: 'has', value: '[[Books]]' }],
    ['list(genre).contains("Poetry")', { property: 'genre', op: 'has', value: 'Poetry' }],
    ['tags.contains("0🌲")', { property: 'tags', op: 'contains', value: '0🌲' }],
    [
      '!tags.containsAny("cities", "towns")',
      {
        not: {
          or: [
            { property: 'tags', op: 'contains', value: 'cities' },
            { property: 'tags', op: 'contains', value: 'towns' },
          ],
        },
      },
    ],
    ['file.hasTag("book")', { property: 'file.tags', op: 'contains', value: 'book' }],
    ['file.inFolder("Notes/Boats")', { property: 'file.folder', op: 'in_folder', value: 'Notes/Boats' }],
    ['file.hasLink(link("The Coast"))', { property: 'file', op: 'links_to', value: 'The Coast' }],
    ['file.hasProperty("rating")', { property: 'rating', op: 'exists' }],
    ['file.name.startsWith("20")', { property: 'file.name', op: 'starts_with', value: '20' }],
    ['created.toString().contains("2026-03")', { property: 'created', op: 'contains', value: '2026-03' }],
    ['author.lower() == "austen"', { property: 'author', op: 'is', value: 'austen' }],
    [
      'a == 1 && (b == 2 || c == 3)',
      {
        and: [
          { property: 'a', op: 'is', value: 1 },
          {
            or: [
              { property: 'b', op: 'is', value: 2 },
              { property: 'c', op: 'is', value: 3 },
            ],
          },
        ],
      },
    ],
  ])('%s is understood', (expression, filter) => {
    expect(filterOf(expression)).toMatchObject({ filter, unsupported: [] })
    expect(PageFilter.safeParse(filterOf(expression).filter).success).toBe(true)
  })

  test.each([
    'list(show).contains(this)',
    'file.name != this.file.name',
    'file.links.contains(this.file)',
    'file.path != this.file.path',
    'formula.Links > 2',
    '(now() - acquired).months > 2',
    'due < today()',
    'file.embeds[0].containsAny("jpg")',
    'list(this.file.links).filter(list(file.links).containsAny(value)).unique()',
    'a == b',
    'a == ',
    'a = 1',
    'a == 1 1',
    '"unclosed',
    'rating > 1 && due < today()',
    'name.contains(/x/)',
    '',
    `${'('.repeat(300)}a${')'.repeat(300)}`,
    `${'!'.repeat(300)}a`,
    `a == "${'x'.repeat(3000)}"`,
  ])('%s is named, and never guessed', (expression) => {
    const { filter, unsupported } = filterOf(expression)

    expect(filter).toBeNull()
    expect(unsupported).toHaveLength(1)
    expect(expression.startsWith(unsupported[0]!.replace(/…$/, '').trim())).toBe(true)
  })
})

test('a part of an “and” that is not understood is left out; an “or” or a “not” around one goes with it', () => {
  const known = { property: 'a', op: 'is', value: 1 }
  const read = (filters: unknown) => first(JSON.stringify({ filters }))

  expect(read({ and: ['a == 1', 'b == this'] })).toMatchObject({
    filter: { and: [known] },
    unsupported: ['b == this'],
  })
  expect(read({ and: ['a == 1', { or: ['a == 1', 'b == this'] }] })).toMatchObject({
    filter: { and: [known] },
    unsupported: ['b == this'],
  })
  expect(read({ not: ['a == 1', 'b == this'] })).toMatchObject({ filter: null, unsupported: ['b == this'] })
  expect(read({ not: ['a == 1'] })).toMatchObject({ filter: { not: known }, unsupported: [] })
  expect(read({ and: [], or: [] })).toMatchObject({ filter: null, unsupported: ['{"and":[],"or":[]}'] })
})

test('a whole file: shared filters, names of columns, order, sort, limit', () => {
  const { views, problem } = readBase(`filters:
  and:
    - note.categories.contains(link("Boats"))
    - '!file.name.contains("Template")'
formulas:
  Where: note.harbour
  Age: (now() - built).years.floor()
properties:
  file.name:
    displayName: Boat
  note.harbour:
    displayName: Home port
views:
  - type: table
    name: All boats
    order: [file.name, harbour, formula.Where, note.built, formula.Age, file.mtime]
    sort:
      - property: built
        direction: DESC
      - property: formula.Age
        direction: ASC
      - column: note.harbour
        direction: ASC
    columnSize:
      file.name: 209
  - type: cards
    name: Afloat
    filters:
      and:
        - afloat == true
    limit: 20
    image: note.picture
  - type: map
    name: Map
    coordinates: note.coordinates
`)

  const shared = [
    { property: 'categories', op: 'has', value: '[[Boats]]' },
    { not: { property: 'file.name', op: 'contains', value: 'Template' } },
  ]
  expect(problem).toBeNull()
  expect(views).toEqual([
    {
      name: 'All boats',
      layout: 'table',
      filter: { and: shared },
      sorts: [
        { property: 'built', direction: 'desc' },
        { property: 'harbour', direction: 'asc' },
      ],
      columns: [
        { property: 'file.name', label: 'Boat' },
        { property: 'harbour', label: 'Home port' },
        { property: 'built', label: 'built' },
        { property: 'file.mtime', label: 'Edited' },
      ],
      limit: null,
      unsupported: ['column formula.Age', 'sort by formula.Age'],
    },
    expect.objectContaining({
      name: 'Afloat',
      layout: 'cards',
      filter: { and: [{ and: shared }, { and: [{ property: 'afloat', op: 'is', value: true }] }] },
      limit: 20,
      unsupported: ['image'],
    }),
    expect.objectContaining({ layout: 'table', unsupported: ['type: map', 'coordinates'] }),
  ])
})

test('files of the first releases: display names under “display”', () => {
  const view = first(
    'display:\n  file.name: Game\n  note.maker: Maker\nviews:\n  - type: table\n    order: [file.name, maker]\n',
  )

  expect(view.columns).toEqual([
    { property: 'file.name', label: 'Game' },
    { property: 'maker', label: 'Maker' },
  ])
})

test.each(['', 'just words', '- a list', 'a: [', 'a: &x [*x]', `${'['.repeat(500)}`, 'x'.repeat(40_000)])(
  'a text that is no base says so: %.20s',
  (text) => {
    expect(readBase(text)).toEqual({ views: [], problem: expect.stringContaining('not a base') })
  },
)

test('any value in any place gives views that are valid, or a problem', () => {
  const key = fc.constantFrom(
    'filters',
    'views',
    'and',
    'or',
    'not',
    'type',
    'name',
    'order',
    'sort',
    'property',
    'limit',
    'formulas',
    'properties',
    'display',
    'x',
  )
  const { value } = fc.letrec((tie) => ({
    value: fc.oneof(
      { maxDepth: 5 },
      fc.constantFrom('a == 1', 'this', 'table', '\u0000\ud800', '', 'file.name', 'formula.x'),
      fc.double(),
      fc.boolean(),
      fc.constant(null),
      fc.array(tie('value'), { maxLength: 4 }),
      fc.dictionary(key, tie('value'), { maxKeys: 4 }),
    ),
  }))
  fc.assert(
    fc.property(fc.dictionary(key, value), (base) => {
      const { views } = readBase(JSON.stringify(base))

      for (const view of views) expect(PageView.safeParse(view).error).toBeUndefined()
    }),
  )
})

test('a hostile text is read in linear time', () => {
  expect(slowShapes((text) => () => readBase(text))).toEqual([])
  expect(slowShapes((text) => () => filterOf(text))).toEqual([])
})
