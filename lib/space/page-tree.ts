// The page hierarchy.

import { readsLabelFirst } from '../content/links/label-order.ts'
import { maxTreeLevel } from '../contract/limits.ts'
import type { EmbeddedPage, FoundPage, PagePlace, TreePage } from '../contract/space/pages.ts'
import type { Queryable } from '../db/pool.ts'
import { createLinksRepo } from '../db/repos/links.ts'
import { createPageTreeRepo } from '../db/repos/page_tree.ts'

/** How far down a level is listed at once to reach a page in it. */
const maxToOpen = 10 * maxTreeLevel
const maxFound = 50
/** Maximum depth of embedded pages; deeper ones become links. */
const embeddedSteps = 3
const maxEmbedded = 40
/** Maximum characters of an embedded page's text. */
const maxEmbeddedText = 400_000

/** A page's direct children, behind the child `after`. */
export const listPagesBelow = (
  db: Queryable,
  spaceId: string,
  pageId: string,
  after: string | null = null,
): Promise<TreePage[]> => createPageTreeRepo(db).listBelow(spaceId, [pageId], maxTreeLevel, after)

/** The pages at the top behind the page `after`. */
export const listTopAfter = (db: Queryable, spaceId: string, after: string): Promise<TreePage[]> =>
  createPageTreeRepo(db).listTop(spaceId, maxTreeLevel, after)

/**
 * A Space's top-level pages and, with two `levels`, their children. Includes every level down to the page `open`, and
 * its children.
 */
export async function listTree(
  db: Queryable,
  spaceId: string,
  { open, levels }: { open: string | null; levels: number },
): Promise<TreePage[]> {
  const tree = createPageTreeRepo(db)
  const top = await tree.listTop(spaceId, maxTreeLevel)
  const path = open ? await tree.listPath(spaceId, open) : []
  const second = levels === 2 ? top.filter(({ has_children }) => has_children).map(({ id }) => id) : []
  const opened = [...new Set([...path, ...second])]
  const inner = opened.length > 0 ? await tree.listBelow(spaceId, opened, maxTreeLevel) : []
  return await reachPath(db, spaceId, [...top, ...inner], path)
}

/** Lists the levels of a path on until the pages of the path are in them. */
async function reachPath(
  db: Queryable,
  spaceId: string,
  listed: TreePage[],
  path: readonly string[],
): Promise<TreePage[]> {
  const tree = createPageTreeRepo(db)
  const pages = [...listed]
  for (const [at, id] of path.entries()) {
    if (pages.some((page) => page.id === id)) continue
    const parent = path[at + 1] ?? null
    const level = pages.filter(({ parent_id }) => parent_id === parent)
    while (level.length < maxToOpen) {
      const after = level.at(-1)?.id ?? null
      const more = parent
        ? await tree.listBelow(spaceId, [parent], maxTreeLevel, after)
        : await tree.listTop(spaceId, maxTreeLevel, after)
      level.push(...more)
      pages.push(...more)
      if (more.length < maxTreeLevel || more.some((page) => page.id === id)) break
    }
  }
  return pages
}

/** Pages whose title contains a text, each with its ancestors' titles. */
export async function findPagesByTitle(db: Queryable, spaceId: string, text: string): Promise<FoundPage[]> {
  const tree = createPageTreeRepo(db)
  const found = await tree.listTitled(spaceId, text, maxFound)
  const above = await tree.listAbove(
    spaceId,
    found.map(({ id }) => id),
  )
  return found.map((page) => ({ ...page, above: above.get(page.id) ?? [] }))
}

export async function findPlace(db: Queryable, spaceId: string, pageId: string): Promise<PagePlace> {
  return {
    above: (await createPageTreeRepo(db).listAbove(spaceId, [pageId])).get(pageId) ?? [],
    below: await listPagesBelow(db, spaceId, pageId),
    read_as: await createPageTreeRepo(db).findReadAs(spaceId, pageId),
  }
}

/** The pages that a page embeds, and those that these embed, with their links. */
export async function listEmbedded(db: Queryable, spaceId: string, pageId: string): Promise<EmbeddedPage[]> {
  const links = createLinksRepo(db)
  let text = 0
  const limits = { steps: embeddedSteps, limit: maxEmbedded }
  const found = (await links.listEmbedded(spaceId, pageId, limits)).filter(({ body }) => {
    text += body.length
    return text <= maxEmbeddedText
  })
  const ids = found.map(({ id }) => id)
  const byPage = Map.groupBy(await links.listFromAll(spaceId, ids), ({ from_id }) => from_id)
  const embedded: EmbeddedPage[] = []
  for (const page of found) {
    const label_first = await readsLabelFirst(db, spaceId, { text: page.body, path: page.path })
    const ofPage = (byPage.get(page.id) ?? []).map(({ from_id, ...link }) => link)
    embedded.push({ ...page, links: ofPage, label_first })
  }
  return embedded
}
