// The page hierarchy.

import type { EmbeddedPage, FoundPage, PagePlace, TreePage } from '../contract/space/pages.ts'
import type { Queryable } from '../db/pool.ts'
import { createLinksRepo } from '../db/repos/links.ts'
import { createPageTreeRepo } from '../db/repos/page_tree.ts'

/** Maximum pages listed per level; longer levels are for search. */
const maxOfLevel = 300
const maxFound = 50
/** Maximum depth of embedded pages; deeper ones become links. */
const embeddedSteps = 3
const maxEmbedded = 40
/** Maximum characters of an embedded page's text. */
const maxEmbeddedText = 400_000

/** A page's direct children. */
export const listPagesBelow = (db: Queryable, spaceId: string, pageId: string): Promise<TreePage[]> =>
  createPageTreeRepo(db).listBelow(spaceId, [pageId], maxOfLevel)

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
  const top = await tree.listTop(spaceId, maxOfLevel)
  const path = open ? await tree.listPath(spaceId, open) : []
  const second = levels === 2 ? top.filter(({ has_children }) => has_children).map(({ id }) => id) : []
  const opened = [...new Set([...path, ...second])]
  const inner = opened.length > 0 ? await tree.listBelow(spaceId, opened, maxOfLevel) : []
  return [...top, ...inner]
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
  return found.map((page) => ({
    ...page,
    links: (byPage.get(page.id) ?? []).map(({ from_id, ...link }) => link),
  }))
}
