import { expect, test } from 'vitest'
import { degreesOf, filterGraph, foldersOf, tagsOf } from '../../../public/features/graph/graph-data.ts'
import { createLayout } from '../../../public/features/graph/layout.ts'

const page = (id: string, parent_id: string | null = null, tags: string[] = []) => ({
  id,
  title: `Page ${id}`,
  parent_id,
  tags,
})
const graph = {
  pages: [
    page('light'),
    page('lamp', 'light', ['Light', 'Light/Optics', 'brass']),
    page('oil', 'lamp', ['light']),
    page('lease', null, ['lighter']),
  ],
  links: [
    [1, 2],
    [2, 1],
    [1, 3],
    [0, 1],
  ] as [number, number][],
  truncated: false,
}
const idsOf = ({ pages }: { pages: { id: string }[] }) => pages.map(({ id }) => id)

test('a tag is compared whatever its case, and has nothing that only begins like it', () => {
  const shown = filterGraph(graph, { tag: '#LIGHT'.slice(1), folder: null })

  expect(idsOf(shown)).toEqual(['lamp', 'oil'])
  expect(shown.links).toEqual([
    [0, 1],
    [1, 0],
  ])
})

test('a folder has all that is below it, and itself', () => {
  expect(idsOf(filterGraph(graph, { tag: null, folder: 'light' }))).toEqual(['light', 'lamp', 'oil'])
  expect(idsOf(filterGraph(graph, { tag: 'brass', folder: 'light' }))).toEqual(['lamp'])
  expect(filterGraph(graph, { tag: 'gone', folder: null })).toEqual({ pages: [], links: [] })
})

test('pages that are in a circle of folders are listed once', () => {
  const circle = { pages: [page('a', 'b'), page('b', 'a')], links: [], truncated: false }

  expect(idsOf(filterGraph(circle, { tag: null, folder: 'a' }))).toEqual(['a', 'b'])
})

test('tags come by how many pages have them, folders by title, and links count once for both ways', () => {
  expect(tagsOf([page('1', null, ['b']), page('2', null, ['a', 'B']), page('3', null, ['a'])])).toEqual([
    'a',
    'b',
  ])
  expect(foldersOf(graph.pages).map(({ id }) => id)).toEqual(['lamp', 'light'])
  expect(degreesOf(graph)).toEqual([1, 3, 1, 1])
})

test('a layout comes to rest, is the same each time, and has linked pages nearer than others', () => {
  const links: [number, number][] = []
  for (let node = 0; node < 200; node += 1) links.push([node, node < 100 ? 0 : 100])
  const settle = () => {
    const layout = createLayout(200, links)
    let steps = 0
    while (layout.step() && steps < 2000) steps += 1
    return { ...layout, steps }
  }
  const first = settle()
  const again = settle()

  const between = (from: number, to: number) =>
    Math.hypot(first.x[from]! - first.x[to]!, first.y[from]! - first.y[to]!)
  const own = Array.from({ length: 99 }, (_, node) => between(node + 1, 0))
  const other = Array.from({ length: 99 }, (_, node) => between(node + 1, 100))
  const mean = (values: number[]) => values.reduce((sum, value) => sum + value, 0) / values.length
  expect(first.steps).toBeLessThan(1000)
  expect(again.x).toEqual(first.x)
  expect([...first.x, ...first.y].every(Number.isFinite)).toBe(true)
  expect(mean(own)).toBeLessThan(mean(other))
})

test('no page, one page and pages in one place are laid out', () => {
  expect(createLayout(0, []).step()).toBe(false)
  expect(createLayout(1, []).step()).toBe(false)
  const many = createLayout(500, [])
  for (let step = 0; step < 50; step += 1) many.step()
  expect([...many.x, ...many.y].every(Number.isFinite)).toBe(true)
})
