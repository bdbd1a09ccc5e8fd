import type { Page } from '../../../lib/contract/entities.ts'
import type { TreePage } from '../../../lib/contract/space/pages.ts'
import { quoteShown } from '../../../lib/core/text/quote-name.ts'
import { toastFailure } from '../../app/actions/toast-failure.ts'
import { messageOf } from '../../app/api/api.ts'
import type { App } from '../../app/app.ts'
import { loadLevels } from '../../app/tree-levels.ts'
import { changePage, type PageFields, pagePath } from '../data/page-data.ts'
import { maxWrites, positionBetween, positionsAfter } from './positions.ts'

/** Where a page is dropped: beside another one, or below it. */
export type Where = 'before' | 'into' | 'after'

type Write = { id: string; fields: Pick<PageFields, 'parent_id' | 'position'> }

/** Moves a page beside another one or below it; Undo moves it, and what was renumbered for it, back. */
export async function dropPage(app: App, id: string, to: { id: string; where: Where }): Promise<void> {
  const [page, target] = await Promise.all([loadPage(app, id), loadPage(app, to.id)])
  const parentId = to.where === 'into' ? target.id : target.parent_id
  const levels = await loadLevels(app.api, page.space_id, { open: target.id })
  const { pages: items, count } = levels.find(({ parent_id }) => parent_id === parentId)!
  const positions = positionsFor(page, items, { ...to, count })
  const writes = positions === null ? null : writesFor(page, parentId, positions)
  if (writes === null || writes.length > maxWrites)
    throw new Error('Too many pages on this level to reorder by hand. They stay sorted by title.')
  if (writes.length === 0) return

  const before = writes.map((write) => ({ id: write.id, fields: fieldsBefore(write, page, items) }))
  const title = quoteShown(page.title)
  try {
    await apply(app, writes)
  } catch (error) {
    app.toast(`Could not move ${title}. ${messageOf(error)}`, { tone: 'problem' })
    return
  }
  const place = { before: 'before', after: 'after', into: 'below' }[to.where]
  const undo = () => toastFailure(app, apply(app, before))
  app.toast(`Moved ${title} ${place} ${quoteShown(target.title)}.`, { action: { label: 'Undo', run: undo } })
}

const loadPage = (app: App, id: string) => app.api.get<Page>(pagePath(id))

/**
 * The positions to set on the level that the page comes to. Of a level of more pages (`count`) than are loaded around the
 * other page, none but its own: null where its new neighbours leave no room.
 */
export function positionsFor(
  page: Pick<TreePage, 'id' | 'position'>,
  level: readonly Pick<TreePage, 'id' | 'position'>[],
  { id, where, count }: { id: string; where: Where; count: number },
): { id: string; position: number }[] | null {
  if (where === 'into') return []
  const others = level.filter((other) => other.id !== page.id)
  const to = others.findIndex((other) => other.id === id) + (where === 'after' ? 1 : 0)
  if (level.length < count) {
    const position = positionBetween(others[to - 1]?.position, others[to]?.position)
    return position === null ? null : [{ id: page.id, position }]
  }
  const from = level.findIndex((other) => other.id === page.id)
  // At the end of its new level it still needs a place there.
  if (from === -1 && to === others.length) {
    const last = others.at(-1)
    return last ? [{ id: page.id, position: last.position + 1 }] : []
  }
  return from === -1 ? positionsAfter([...others, page], others.length, to) : positionsAfter(level, from, to)
}

/** The page itself first: what it may not do is refused before anything else moves. */
function writesFor(
  page: Page,
  parentId: string | null,
  positions: readonly { id: string; position: number }[],
): Write[] {
  const own = positions.find(({ id }) => id === page.id)
  const fields = {
    ...(parentId !== page.parent_id && { parent_id: parentId }),
    ...(own && { position: own.position }),
  }
  const others = positions.filter(({ id }) => id !== page.id)
  return [
    ...(Object.keys(fields).length > 0 ? [{ id: page.id, fields }] : []),
    ...others.map(({ id, position }) => ({ id, fields: { position } })),
  ]
}

function fieldsBefore({ id, fields }: Write, page: Page, level: readonly TreePage[]): Write['fields'] {
  const position = id === page.id ? page.position : level.find((other) => other.id === id)!.position
  return {
    ...('parent_id' in fields && { parent_id: page.parent_id }),
    ...('position' in fields && { position }),
  }
}

async function apply(app: App, writes: readonly Write[]): Promise<void> {
  for (const { id, fields } of writes) await changePage(app, await loadPage(app, id), fields)
}
