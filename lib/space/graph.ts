// The pages of a Space as a graph: each page a node, each link between two of them an edge.

import type { Graph } from '../contract/space/graph.ts'
import type { Queryable } from '../db/pool.ts'
import { createGraphRepo } from '../db/repos/space_contents.ts'

const maxPages = 10_000
const maxLinks = 60_000

/** Of a graph around a page. */
const maxAround = 300

export const loadGraph = async (db: Queryable, spaceId: string): Promise<Graph> =>
  toGraph(db, spaceId, null, maxPages)

/** The pages that are so many links or fewer away from a page, whichever way the links lead. */
export async function loadGraphAround(
  db: Queryable,
  spaceId: string,
  { page_id, steps }: { page_id: string; steps: number },
): Promise<Graph> {
  const graph = createGraphRepo(db)
  const found = new Set([page_id])
  for (let step = 0; step < steps && found.size < maxAround; step += 1) {
    const links = await graph.listLinks(spaceId, [...found], maxLinks)
    for (const id of links.flatMap(({ from_id, to_id }) => [from_id, to_id])) {
      if (found.size < maxAround) found.add(id)
    }
  }
  return await toGraph(db, spaceId, [...found], maxAround)
}

async function toGraph(
  db: Queryable,
  spaceId: string,
  ids: readonly string[] | null,
  limit: number,
): Promise<Graph> {
  const graph = createGraphRepo(db)
  const found = await graph.listPages(spaceId, ids, limit + 1)
  const rows = await graph.listLinks(spaceId, ids, maxLinks + 1)
  const pages = found.slice(0, limit)
  const places = new Map(pages.map(({ id }, index) => [id, index]))
  const links = rows.slice(0, maxLinks).flatMap(({ from_id, to_id }): [number, number][] => {
    const [from, to] = [places.get(from_id), places.get(to_id)]
    return from === undefined || to === undefined ? [] : [[from, to]]
  })
  const isFull = ids !== null && ids.length >= maxAround
  return { pages, links, truncated: isFull || found.length > limit || rows.length > maxLinks }
}
