// What a list of pages is saved as, reading gives back.

import fc from 'fast-check'
import { expect, test } from 'vitest'
import { readBase } from '../../../lib/content/properties/base/read-base.ts'
import type { Condition, PageFilter } from '../../../lib/contract/space/pages.ts'
import {
  describeFilter,
  type ListState,
  labelOf,
  partsOf,
  readState,
} from '../../../public/page/lists/list-state.ts'
import { writeBase } from '../../../public/page/lists/write-base.ts'

const readBack = (state: ListState): ListState => {
  const { views, problem } = readBase(writeBase('Mine', state))
  expect([problem, views.length, views[0]!.name, views[0]!.unsupported]).toEqual([null, 1, 'Mine', []])
  return readState(new URL('http://localhost/s/x/views/y'), views[0]!)
}

const state: ListState = {
  layout: 'cards',
  parts: [
    { property: 'rating', op: 'gte', value: 6.5 },
    { property: 'my "own" rating', op: 'is_not', value: -1 },
    { property: 'file.tags', op: 'contains', value: 'home/garden' },
    { property: 'author', op: 'has', value: '[[The Coast]]' },
    { property: 'due', op: 'lt', value: '2026-03-01' },
    { property: 'done', op: 'is', value: false },
    { property: 'x', op: 'exists' },
    {
      or: [
        { property: 'a', op: 'starts_with', value: 'b' },
        { not: { property: 'c', op: 'ends_with', value: 'd' } },
      ],
    },
    { property: 'file.folder', op: 'in_folder', value: 'Notes/Boats' },
    { property: 'file', op: 'links_to', value: 'The Coast' },
    { property: 'file.name', op: 'empty' },
  ],
  sorts: [
    { property: 'rating', direction: 'desc' },
    { property: 'file.name', direction: 'asc' },
  ],
  columns: [
    { property: 'file.name', label: 'Boat' },
    { property: 'rating', label: 'rating' },
  ],
  limit: 20,
}

test('a list is read as it was written', () => {
  expect(readBack(state)).toEqual(state)
})

test('any words in it are words', () => {
  const words = fc
    .string({ minLength: 1, maxLength: 30 })
    .map((text) => text.replace(/\s+/g, ' ').trim() || 'x')
  const name = words.filter((text) => !/^(file|note|formula)\./i.test(text))
  const text = fc.constantFrom('is', 'is_not', 'contains', 'has', 'starts_with', 'ends_with', 'lt', 'gte')
  const condition: fc.Arbitrary<Condition> = fc.record({ property: name, op: text, value: words })
  fc.assert(
    fc.property(fc.array(condition, { minLength: 1, maxLength: 5 }), (parts) => {
      expect(
        readBack({ ...state, parts, sorts: [], columns: [{ property: 'file.name', label: 'Name' }] }).parts,
      ).toEqual(parts)
    }),
  )
})

test.each<[PageFilter, string]>([
  [{ property: 'rating', op: 'gt', value: 6 }, 'rating > 6'],
  [{ property: 'file.tags', op: 'contains', value: 'home' }, 'tag home'],
  [{ property: 'file.mtime', op: 'lt', value: '2026-01-01' }, 'Edited < 2026-01-01'],
  [{ property: 'done', op: 'is', value: true }, 'done is on'],
  [{ property: 'x', op: 'not_empty' }, 'x is not empty'],
  [{ property: 'file.folder', op: 'in_folder', value: 'Notes' }, 'in folder Notes'],
  [
    {
      not: {
        or: [
          { property: 'a', op: 'empty' },
          { property: 'b', op: 'empty' },
        ],
      },
    },
    'not (a is empty or b is empty)',
  ],
])('%j is called “%s”', (filter, words) => {
  expect(describeFilter(filter)).toBe(words)
})

test('an address changes what a view shows; what cannot be read of it changes nothing', () => {
  const at = (query: string) => readState(new URL(`http://localhost/s/x/pages${query}`), null)

  expect(at('?view=cards&tag=home')).toMatchObject({
    layout: 'cards',
    parts: [{ property: 'file.tags', op: 'contains', value: 'home' }],
    sorts: [],
  })
  for (const broken of ['{', '{}', '[1]', '[{"not":1}]', '["a"', 'x'.repeat(9000), '[{"property":"a"}]'])
    expect(at(`?where=${encodeURIComponent(broken)}`).parts).toEqual([])
  expect(
    at(`?where=${encodeURIComponent(`[${'{"not":'.repeat(30)}{"and":[]}${'}'.repeat(30)}]`)}`).parts,
  ).toEqual([])
  expect(at('?columns=["rating"]').columns).toEqual([{ property: 'rating', label: 'rating' }])
  expect(labelOf('constructor')).toBe('constructor')
  expect(partsOf({ and: [{ and: [] }, { property: 'a', op: 'empty' }] })).toEqual([
    { property: 'a', op: 'empty' },
  ])
})
