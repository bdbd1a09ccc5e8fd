import { inBrowser } from '#platform'
import type { Space } from '../../lib/contract/entities.ts'
import { maxTreeLevel } from '../../lib/contract/limits.ts'
import type { TreePage } from '../../lib/contract/space/pages.ts'
import { createPage } from '../app/actions/create-page.ts'
import { messageOf } from '../app/api/api.ts'
import type { App, AppContext } from '../app/app.ts'
import { icon, iconButton } from '../ui/components/icon.ts'
import { el } from '../ui/dom.ts'
import { entityHref, spaceHref, withQuery } from '../ui/words/addresses.ts'

/** Rows that are laid out together, and not at all while they are out of sight. */
const chunkRows = 100

/**
 * The pages of a Space as a tree of links. A level is loaded when it is first expanded, and goes on loading while it is
 * scrolled to its end. The open page is marked and in sight.
 */
export function renderTree({ app, signal }: AppContext, space: Space): HTMLElement {
  const list = el('div', { class: 'tree-list' })
  // What was expanded or collapsed by hand stays so until the page is left.
  const toggled = new Map<string, boolean>()
  /** Parents whose levels are loaded to their end. */
  const ended = new Set<string | null>()
  const observer = inBrowser ? new IntersectionObserver(onSeen, { root: null, rootMargin: '400px' }) : null
  draw()
  app.state.watch(({ tree }) => tree, draw, signal)
  app.state.watch(({ path }) => path, markCurrent, signal)
  signal.addEventListener('abort', () => observer?.disconnect())
  if (inBrowser) requestAnimationFrame(showCurrent)

  return el(
    'section',
    { class: 'tree', 'aria-labelledby': 'tree-title' },
    el(
      'div',
      { class: 'tree-head' },
      el('a', { id: 'tree-title', class: 'nav-heading', href: `${spaceHref(space.slug)}/pages` }, 'Pages'),
      iconButton('New page (Shift N)', 'plus', () => createPage(app, space, null)),
    ),
    list,
  )

  function draw(): void {
    const levels = Map.groupBy(app.state.get().tree, ({ parent_id }) => parent_id)
    list.replaceChildren(...renderLevel(levels, null, 0))
    observer?.disconnect()
    if (observer) for (const more of list.querySelectorAll('.tree-more')) observer.observe(more)
  }

  function renderLevel(levels: Levels, parentId: string | null, depth: number): HTMLElement[] {
    const { path } = app.state.get()
    const pages = levels.get(parentId) ?? []
    const rows: HTMLElement[] = pages.map((page) => {
      const href = entityHref(space.slug, 'page', page.id)!
      const open = page.has_children && (toggled.get(page.id) ?? levels.has(page.id))
      const onToggle = () => toggle(page, !open)
      const row = renderRow(page, { href, open, isCurrent: path === href, onToggle })
      return el('li', {}, row, open && renderLevel(levels, page.id, depth + 1))
    })
    if (mayGoOn(parentId, pages.length)) rows.push(renderMore(parentId))
    const chunks = Array.from({ length: Math.ceil(rows.length / chunkRows) }, (_, at) =>
      rows.slice(at * chunkRows, (at + 1) * chunkRows),
    )
    return chunks.map((chunk) =>
      el(
        'ul',
        { class: 'tree-level', 'data-depth': Math.min(depth, 6), 'data-long': chunks.length > 1 },
        chunk,
      ),
    )
  }

  function mayGoOn(parentId: string | null, count: number): boolean {
    return count > 0 && count % maxTreeLevel === 0 && !ended.has(parentId)
  }

  function renderMore(parentId: string | null): HTMLElement {
    const more = () => loadMore(parentId)
    return el(
      'li',
      { class: 'tree-more', 'data-level': parentId ?? '' },
      el('button', { class: 'tree-link', type: 'button', onclick: more }, 'Show more'),
    )
  }

  function onSeen(entries: readonly IntersectionObserverEntry[]): void {
    for (const { isIntersecting, target } of entries)
      if (isIntersecting && target instanceof HTMLElement) void loadMore(target.dataset.level || null)
  }

  async function loadMore(parentId: string | null): Promise<void> {
    const level = app.state.get().tree.filter(({ parent_id }) => parent_id === parentId)
    const more = await loadPages(app, space, { below: parentId, after: level.at(-1)?.id ?? null })
    if (!more || signal.aborted) return
    if (more.length < maxTreeLevel) ended.add(parentId)
    app.state.set(({ tree }) => {
      const known = new Set(tree.map(({ id }) => id))
      return { tree: [...tree, ...more.filter(({ id }) => !known.has(id))] }
    })
    if (more.length === 0) draw()
  }

  /** Every page is drawn again only when the tree has changed. */
  function markCurrent(): void {
    const { path } = app.state.get()
    const id = path.split('/').at(-1) ?? ''
    for (const link of list.querySelectorAll('[aria-current]')) link.removeAttribute('aria-current')
    const link = list.querySelector(`[data-page="${CSS.escape(id)}"] > .tree-link`)
    if (link?.getAttribute('href')?.endsWith(path)) link.setAttribute('aria-current', 'page')
    showCurrent()
  }

  function showCurrent(): void {
    list.querySelector('[aria-current]')?.scrollIntoView({ block: 'nearest' })
  }

  async function toggle(page: TreePage, open: boolean): Promise<void> {
    toggled.set(page.id, open)
    if (open) await loadLevel(app, space, page.id)
    draw()
    list.querySelector<HTMLElement>(`#tree-${page.id}`)?.focus()
  }
}

type Levels = Map<string | null, TreePage[]>

type RowOptions = { href: string; open: boolean; isCurrent: boolean; onToggle: () => void }

function renderRow(page: TreePage, { href, open, isCurrent, onToggle }: RowOptions): HTMLElement {
  const { id, title, has_children } = page
  return el(
    'div',
    { class: 'tree-row', 'data-page': id },
    has_children
      ? el(
          'button',
          {
            class: 'tree-toggle',
            type: 'button',
            id: `tree-${id}`,
            'aria-expanded': open,
            'aria-label': `${open ? 'Collapse' : 'Expand'} ${title}`,
            onclick: onToggle,
          },
          icon('chevronRight'),
        )
      : el('span', { class: 'tree-leaf' }),
    el('a', { class: 'tree-link', href, title, 'aria-current': isCurrent ? 'page' : null }, title),
  )
}

/** Loads the level below a page into the state, unless it is there. */
async function loadLevel(app: App, space: Space, parentId: string): Promise<void> {
  if (app.state.get().tree.some(({ parent_id }) => parent_id === parentId)) return
  const items = await loadPages(app, space, { below: parentId, after: null })
  if (items)
    app.state.set(({ tree }) => ({
      tree: [...tree.filter((each) => each.parent_id !== parentId), ...items],
    }))
}

/** The next pages of a level; `null` where they could not be loaded, which is said. */
async function loadPages(
  { api, toast }: App,
  space: Space,
  place: { below: string | null; after: string | null },
): Promise<TreePage[] | null> {
  try {
    const path = withQuery(`/api/spaces/${space.id}/page-tree`, place)
    return (await api.get<{ items: TreePage[] }>(path)).items
  } catch (error) {
    toast(messageOf(error), { tone: 'problem' })
    return null
  }
}
