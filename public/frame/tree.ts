import type { Space, TreePage } from '../../lib/contract/entities.ts'
import { entityHref, spaceHref } from '../addresses.ts'
import { messageOf } from '../api.ts'
import type { App } from '../app.ts'
import { icon } from '../components/icon.ts'
import { el } from '../dom.ts'
import type { Living } from './nav.ts'

/** The pages of a Space as a tree of links. A level is loaded when it is first opened. */
export function renderTree({ app, signal }: Living, space: Space): HTMLElement {
  const list = el('div', { class: 'tree-list' })
  // What the reader closed or opened by hand counts until the page goes.
  const toggled = new Map<string, boolean>()

  const draw = () => list.replaceChildren(level(null, 0))
  draw()
  app.state.watch((state) => state.tree, draw, signal)
  app.state.watch((state) => state.path, draw, signal)

  return el(
    'section',
    { class: 'tree', 'aria-labelledby': 'tree-title' },
    el(
      'div',
      { class: 'tree-head' },
      el('a', { id: 'tree-title', class: 'nav-heading', href: `${spaceHref(space.slug)}/pages` }, 'Pages'),
      el(
        'button',
        {
          class: 'icon-button',
          type: 'button',
          title: 'New page',
          'aria-label': 'New page',
          onclick: () => createPage(app, space, null),
        },
        icon('plus'),
      ),
    ),
    list,
  )

  function level(parentId: string | null, depth: number): HTMLUListElement {
    const { tree } = app.state.get()
    const pages = tree.filter((page) => page.parent_id === parentId)
    return el(
      'ul',
      { class: 'tree-level', 'data-depth': Math.min(depth, 6) },
      pages.map((page) => item(page, depth)),
    )
  }

  function item(page: TreePage, depth: number): HTMLLIElement {
    const href = entityHref(space.slug, 'page', page.id)!
    const { path, tree } = app.state.get()
    const loaded = tree.some(({ parent_id }) => parent_id === page.id)
    const open = page.has_children && (toggled.get(page.id) ?? loaded)
    return el(
      'li',
      {},
      el(
        'div',
        { class: 'tree-row' },
        page.has_children
          ? el(
              'button',
              {
                class: 'tree-toggle',
                type: 'button',
                id: `tree-${page.id}`,
                'aria-expanded': open,
                'aria-label': `${open ? 'Close' : 'Open'} ${page.title}`,
                onclick: () => toggle(page, !open),
              },
              icon('chevronRight'),
            )
          : el('span', { class: 'tree-leaf' }),
        el(
          'a',
          { class: 'tree-link', href, title: page.title, 'aria-current': path === href ? 'page' : null },
          page.title,
        ),
      ),
      open && level(page.id, depth + 1),
    )
  }

  async function toggle(page: TreePage, open: boolean): Promise<void> {
    toggled.set(page.id, open)
    const { tree } = app.state.get()
    if (open && !tree.some(({ parent_id }) => parent_id === page.id)) {
      const path = `/api/spaces/${space.id}/page-tree?below=${page.id}`
      try {
        const { items } = await app.api.get<{ items: TreePage[] }>(path)
        app.state.set((state) => ({
          tree: [...state.tree.filter((each) => each.parent_id !== page.id), ...items],
        }))
      } catch (error) {
        app.toast(messageOf(error), { tone: 'problem' })
      }
    }
    draw()
    list.querySelector<HTMLElement>(`#tree-${page.id}`)?.focus()
  }
}

/** Makes an untitled page and opens it for writing. */
export async function createPage(app: App, space: Space, parentId: string | null): Promise<void> {
  try {
    const page = await app.api.post<{ id: string }>(`/api/spaces/${space.id}/pages`, {
      title: 'Untitled',
      body: '',
      parent_id: parentId,
    })
    await app.navigate(`${entityHref(space.slug, 'page', page.id)}?edit=1`)
  } catch (error) {
    app.toast(messageOf(error), { tone: 'problem' })
  }
}
