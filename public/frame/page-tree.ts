import type { Space } from '../../lib/contract/entities.ts'
import type { TreePage } from '../../lib/contract/space/pages.ts'
import { createPage } from '../app/actions/create-page.ts'
import { messageOf } from '../app/api/api.ts'
import type { App, AppContext } from '../app/app.ts'
import { icon, iconButton } from '../ui/components/icon.ts'
import { el } from '../ui/dom.ts'
import { entityHref, spaceHref } from '../ui/words/addresses.ts'

/** The pages of a Space as a tree of links. A level is loaded when it is first expanded. */
export function renderTree({ app, signal }: AppContext, space: Space): HTMLElement {
  const list = el('div', { class: 'tree-list' })
  // What was expanded or collapsed by hand stays so until the page is left.
  const toggled = new Map<string, boolean>()
  const draw = () => list.replaceChildren(renderLevel(null, 0))
  draw()
  app.state.watch(({ tree }) => tree, draw, signal)
  app.state.watch(({ path }) => path, draw, signal)

  return el(
    'section',
    { class: 'tree', 'aria-labelledby': 'tree-title' },
    el(
      'div',
      { class: 'tree-head' },
      el('a', { id: 'tree-title', class: 'nav-heading', href: `${spaceHref(space.slug)}/pages` }, 'Pages'),
      iconButton('New page', 'plus', () => createPage(app, space, null)),
    ),
    list,
  )

  function renderLevel(parentId: string | null, depth: number): HTMLUListElement {
    const { path, tree } = app.state.get()
    return el(
      'ul',
      { class: 'tree-level', 'data-depth': Math.min(depth, 6) },
      tree
        .filter((page) => page.parent_id === parentId)
        .map((page) => {
          const href = entityHref(space.slug, 'page', page.id)!
          const isLoaded = tree.some(({ parent_id }) => parent_id === page.id)
          const open = page.has_children && (toggled.get(page.id) ?? isLoaded)
          const row = renderRow(page, {
            href,
            open,
            isCurrent: path === href,
            onToggle: () => toggle(page, !open),
          })
          return el('li', {}, row, open && renderLevel(page.id, depth + 1))
        }),
    )
  }

  async function toggle(page: TreePage, open: boolean): Promise<void> {
    toggled.set(page.id, open)
    if (open) await loadLevel(app, space, page.id)
    draw()
    list.querySelector<HTMLElement>(`#tree-${page.id}`)?.focus()
  }
}

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
async function loadLevel({ api, state, toast }: App, space: Space, parentId: string): Promise<void> {
  if (state.get().tree.some(({ parent_id }) => parent_id === parentId)) return
  try {
    const path = `/api/spaces/${space.id}/page-tree?below=${parentId}`
    const { items } = await api.get<{ items: TreePage[] }>(path)
    state.set(({ tree }) => ({ tree: [...tree.filter((each) => each.parent_id !== parentId), ...items] }))
  } catch (error) {
    toast(messageOf(error), { tone: 'problem' })
  }
}
