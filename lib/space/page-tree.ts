// The page hierarchy.

import { readsLabelFirst } from '../content/links/label-order.ts'
import { maxTreeLevel } from '../contract/limits.ts'
import type { EmbeddedPage, FoundPage, PagePlace, PageTree } from '../contract/space/pages.ts'
import type { Queryable } from '../db/pool.ts'
import { createLinksRepo } from '../db/repos/links.ts'
import { createPageTreeRepo } from '../db/repos/page_tree.ts'

const maxFound = 50
/** Maximum depth of embedded pages; deeper ones become links. */
const embeddedSteps = 3
const maxEmbedded = 40
/** Maximum characters of an embedded page's text. */
const maxEmbeddedText = 400_000

/** A part of a level: the children of a page, or for null the pages at the top. */
export async function listLevel(
  db: Queryable,
  spaceId: string,
  parentId: string | null,
  part: LevelPart,
): Promise<PageTree> {
  const tree = createPageTreeRepo(db)
  const count = parentId
    ? ((await tree.countBelow(spaceId, [parentId])).get(parentId) ?? 0)
    : await tree.countTop(spaceId)
  // A short level begins at its beginning, whatever is asked for: a page's place need not be found.
  const last = Math.max(0, count - maxTreeLevel)
  const begin = async () =>
    'from' in part
      ? part.from
      : (await tree.findPlace(spaceId, parentId, part.around)) - Math.floor(maxTreeLevel / 2)
  const from = last === 0 ? 0 : Math.max(0, Math.min(await begin(), last))
  const items = parentId
    ? await tree.listBelow(spaceId, [parentId], maxTreeLevel, { from })
    : await tree.listTop(spaceId, maxTreeLevel, { from })
  return { items, levels: [{ parent_id: parentId, from, count }] }
}

/** From a place on, or with a page in its middle. */
type LevelPart = { from: number } | { around: string }

/**
 * The beginning of a Space's top level and, with two `levels`, of those below its pages. Includes a part of every level down
 * to the page `open`, with what leads to the page in its middle, and the beginning of its children.
 */
export async function listTree(
  db: Queryable,
  spaceId: string,
  { open, levels }: { open: string | null; levels: number },
): Promise<PageTree> {
  const tree = createPageTreeRepo(db)
  const path = open ? await tree.listPath(spaceId, open) : []
  const parts = [await listLevel(db, spaceId, null, partAround(path.at(-1)))]
  for (const [at, id] of path.entries())
    parts.push(await listLevel(db, spaceId, id, partAround(path[at - 1])))
  const second =
    levels === 2 ? parts[0]!.items.filter(({ id, has_children }) => has_children && !path.includes(id)) : []
  if (second.length > 0)
    parts.push(
      await listBeginnings(
        db,
        spaceId,
        second.map(({ id }) => id),
      ),
    )
  return { items: parts.flatMap(({ items }) => items), levels: parts.flatMap((part) => part.levels) }
}

const partAround = (id: string | undefined): LevelPart => (id === undefined ? { from: 0 } : { around: id })

async function listBeginnings(
  db: Queryable,
  spaceId: string,
  parentIds: readonly string[],
): Promise<PageTree> {
  const tree = createPageTreeRepo(db)
  const items = await tree.listBelow(spaceId, parentIds, maxTreeLevel)
  const counts = await tree.countBelow(spaceId, parentIds)
  return { items, levels: parentIds.map((id) => ({ parent_id: id, from: 0, count: counts.get(id) ?? 0 })) }
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
  const tree = createPageTreeRepo(db)
  const below = await tree.listBelow(spaceId, [pageId], maxTreeLevel)
  return {
    above: (await tree.listAbove(spaceId, [pageId])).get(pageId) ?? [],
    below,
    below_count:
      below.length < maxTreeLevel
        ? below.length
        : ((await tree.countBelow(spaceId, [pageId])).get(pageId) ?? below.length),
    read_as: await tree.findReadAs(spaceId, pageId),
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
