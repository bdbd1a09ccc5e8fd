import fc from 'fast-check'
import { expect, test } from 'vitest'
import type { TreePage } from '../../../lib/contract/space/pages.ts'
import {
  loadLevels,
  putLevels,
  revealed,
  setLevelOpen,
  type TreeLevel,
  treeRows,
} from '../../../public/app/tree-levels.ts'

const maxPart = 300

/** A Space whose levels have so many pages; a name is its path, such as `2.5`. */
function createSpace(sizes: Record<string, number>) {
  const page = (name: string): TreePage => ({
    id: name,
    title: name,
    parent_id: name.includes('.') ? name.slice(0, name.lastIndexOf('.')) : null,
    position: 0,
    has_children: (sizes[name] ?? 0) > 0,
  })
  const level = (parent: string) =>
    Array.from({ length: sizes[parent] ?? 0 }, (_, place) =>
      page(parent === '' ? `${place}` : `${parent}.${place}`),
    )
  const asked: string[] = []
  const get = async (path: string): Promise<unknown> => {
    asked.push(path)
    const query = new URL(path, 'http://void').searchParams
    const parent = query.get('below')
    const pages = level(parent ?? '')
    const from = Math.max(0, Math.min(Number(query.get('from')), pages.length - maxPart))
    return {
      items: pages.slice(from, from + maxPart),
      levels: [{ parent_id: parent, from, count: pages.length }],
    }
  }
  const load = (below: string | null, from = 0) => loadLevels({ get } as never, 'space', { below, from })
  return { load, asked, level }
}

const titles = (tree: readonly TreeLevel[], first = 0, end = Number.POSITIVE_INFINITY) => {
  const rows = treeRows(tree)
  return Array.from(
    { length: Math.min(end, rows.count) - first },
    (_, at) => rows.at(first + at)!.page?.title ?? null,
  )
}

test('rows are counted whether they are loaded or not, and an open level stands below its parent', async () => {
  const { load } = createSpace({ '': 1000, '7': 2, '7.1': 1 })
  const tree = putLevels(putLevels(await load(null), await load('7')), await load('7.1'))
  const rows = treeRows(tree)

  expect(rows.count).toBe(1003)
  expect(titles(tree, 6, 13)).toEqual(['6', '7', '7.0', '7.1', '7.1.0', '8', '9'])
  expect(rows.at(10)).toMatchObject({ depth: 2, parentId: '7.1', place: 0, count: 1 })
  expect(rows.at(1002)).toMatchObject({ page: null, place: 999, count: 1000 })
  expect([rows.indexOf('7.1.0'), rows.indexOf('999'), rows.at(1003)]).toEqual([10, -1, null])
})

test('wherever one jumps, what is in sight is loaded in the end, and every row is the right one', async () => {
  const sizes = { '': 2500, '3': 5, '1200': 700, '1200.650': 400 }
  const { load, level } = createSpace(sizes)
  const rowsOf = (parent: string): string[] =>
    level(parent).flatMap(({ id }) => (id in sizes ? [id, ...rowsOf(id)] : [id]))
  const whole = rowsOf('')

  await fc.assert(
    fc.asyncProperty(fc.array(fc.nat(whole.length - 1), { minLength: 1, maxLength: 8 }), async (jumps) => {
      let tree = putLevels(putLevels(await load(null), await load('3')), await load(null, 1050))
      tree = putLevels(putLevels(tree, await load('1200')), await load('1200', 500))
      tree = putLevels(tree, await load('1200.650'))
      for (const first of jumps) {
        const end = Math.min(whole.length, first + 40)
        for (let tries = 0; tries < 12; tries += 1) {
          const missing = treeRows(tree).missing(first, end)
          if (missing.length === 0) break
          for (const { below, from } of missing) tree = putLevels(tree, await load(below, from))
        }
        expect(titles(tree, first, end)).toEqual(whole.slice(first, end))
        for (const { pages } of tree) expect(pages.length).toBeLessThanOrEqual(3 * maxPart)
      }
    }),
    { numRuns: 60 },
  )
})

test('what was loaded again is as it is now, and what was closed stays closed', async () => {
  const before = createSpace({ '': 3, '1': 2 })
  const after = createSpace({ '': 4, '1': 3 })
  const tree = setLevelOpen(putLevels(await before.load(null), await before.load('1')), '1', false)
  const again = [...(await after.load(null)), ...(await after.load('1'))]
  const next = putLevels(tree, again, { isNewer: true })

  expect(titles(next)).toEqual(['0', '1', '2', '3'])
  expect(titles(setLevelOpen(next, '1', true))).toEqual(['0', '1', '1.0', '1.1', '1.2', '2', '3'])
})

test('a page whose levels are loaded is revealed by opening them; of another one nothing is known', async () => {
  const { load } = createSpace({ '': 3, '1': 2, '1.0': 1 })
  let tree = putLevels(putLevels(await load(null), await load('1')), await load('1.0'))
  tree = setLevelOpen(setLevelOpen(tree, '1', false), '1.0', false)

  expect(titles(tree)).toEqual(['0', '1', '2'])
  expect(titles(revealed(tree, '1.0.0')!)).toEqual(['0', '1', '1.0', '1.0.0', '1.1', '2'])
  expect(revealed(tree, '2.5')).toBe(null)
})
