// Pages by their place below one another.

import type { EmbeddedPage, FoundPage, PagePlace, TreePage } from '../contract/space/pages.ts'
import type { Queryable } from '../db/pool.ts'
import { createLinksRepo } from '../db/repos/links.ts'
import { createPageTreeRepo } from '../db/repos/page_tree.ts'

/** Pages of one level that are listed; a longer level is what search is for. */
const maxOfLevel = 300
const maxFound = 50
/** Pages within pages within a page: further in, a link stands for them. */
const embeddedSteps = 3
const maxEmbedded = 40
/** Characters of text that come along with a page for being shown within it. */
const maxEmbeddedText = 400_000

/** The pages right below one. */
export const listPagesBelow = (db: Queryable, spaceId: string, pageId: string): Promise<TreePage[]> =>
  createPageTreeRepo(db).listBelow(spaceId, [pageId], maxOfLevel)

/**
 * The pages at the top of a Space and, with two `levels`, those right below them. Every level down to the page `open`
 * is there too, and the one below it.
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

/** The pages whose title contains a text, each with the titles above it. */
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

/** The pages that a page shows within its text, and those that these show, with their links. */
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
