import type { Graph } from '../../../lib/contract/space/graph.ts'
import { tagKey } from '../../../lib/core/text/properties/tag.ts'

export type GraphFilter = { tag: string | null; folder: string | null }

type Page = Graph['pages'][number]

/** The pages that a filter leaves, with the links among them. A folder has all that is below it. */
export function filterGraph({ pages, links }: Graph, { tag, folder }: GraphFilter): Omit<Graph, 'truncated'> {
  if (tag === null && folder === null) return { pages, links }
  const within = folder === null ? null : below(pages, folder)
  const key = tag === null ? null : tagKey(tag)
  const kept = pages.flatMap((page, index) =>
    (key === null || page.tags.some((each) => tagKey(each) === key)) &&
    (within === null || within.has(page.id))
      ? [index]
      : [],
  )
  const places = new Map(kept.map((index, place) => [index, place]))
  return {
    pages: kept.map((index) => pages[index]!),
    links: links.flatMap(([from, to]): [number, number][] => {
      const [start, end] = [places.get(from), places.get(to)]
      return start === undefined || end === undefined ? [] : [[start, end]]
    }),
  }
}

function below(pages: readonly Page[], folder: string): Set<string> {
  const children = Map.groupBy(pages, ({ parent_id }) => parent_id)
  const found = new Set([folder])
  // Grows while it is read.
  for (const id of found) for (const child of children.get(id) ?? []) found.add(child.id)
  return found
}

/** Tags by how many pages have them. */
export function tagsOf(pages: readonly Page[]): string[] {
  const counts = new Map<string, { name: string; count: number }>()
  for (const name of pages.flatMap(({ tags }) => tags)) {
    const known = counts.get(tagKey(name))
    if (known) known.count += 1
    else counts.set(tagKey(name), { name, count: 1 })
  }
  return [...counts.values()]
    .sort((a, b) => b.count - a.count || a.name.localeCompare(b.name))
    .map(({ name }) => name)
}

/** Pages with others below them, by title. */
export function foldersOf(pages: readonly Page[]): Page[] {
  const parents = new Set(pages.map(({ parent_id }) => parent_id))
  return pages.filter(({ id }) => parents.has(id)).toSorted((a, b) => a.title.localeCompare(b.title))
}

/** How many links each page has, either way; two that link each other count as one. */
export function degreesOf({ pages, links }: Pick<Graph, 'pages' | 'links'>): number[] {
  const neighbours = pages.map(() => new Set<number>())
  for (const [from, to] of links) {
    neighbours[from]!.add(to)
    neighbours[to]!.add(from)
  }
  return neighbours.map(({ size }) => size)
}
