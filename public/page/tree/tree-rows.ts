import type { Space } from '../../../lib/contract/entities.ts'
import type { TreePage } from '../../../lib/contract/space/pages.ts'
import type { TreeRow } from '../../app/tree-levels.ts'
import { icon } from '../../ui/components/icon.ts'
import { type MenuItem, renderMenu } from '../../ui/components/menu.ts'
import { el } from '../../ui/dom.ts'
import { entityHref } from '../../ui/words/addresses.ts'

type RowOptions = {
  index: number
  space: Space
  actions?: (page: TreePage) => MenuItem[]
  onToggle?: (row: TreeRow) => void
}

/** A row of the tree, with its position for screen readers. */
export function renderTreeRow(row: TreeRow, { index, space, actions, onToggle }: RowOptions): HTMLElement {
  const { page, depth, open, place, count } = row
  const position = {
    role: 'treeitem',
    'data-row': index,
    'data-depth': Math.min(depth, 8),
    'aria-level': depth + 1,
    'aria-setsize': count,
    'aria-posinset': place + 1,
  }
  if (!page) return el('div', { class: 'page-row', 'aria-label': 'Loading', ...position })
  return el(
    'div',
    {
      class: 'page-row',
      id: `row-${page.id}`,
      tabindex: index === 0 ? 0 : -1,
      'aria-label': page.title,
      'aria-expanded': page.has_children ? open : null,
      'data-id': page.id,
      'data-page': page.id,
      'data-stop': '',
      ...position,
    },
    page.has_children
      ? el(
          'button',
          {
            class: 'page-row-toggle',
            type: 'button',
            tabindex: -1,
            'aria-label': `${open ? 'Collapse' : 'Expand'} ${page.title}`,
            onclick: () => onToggle?.(row),
          },
          icon('chevronRight'),
        )
      : el('span', { class: 'page-row-leaf' }),
    icon('page'),
    el('a', { class: 'row-title', tabindex: -1, href: entityHref(space.slug, 'page', page.id) }, page.title),
    renderMenu({
      id: `menu-${page.id}`,
      label: `Actions for ${page.title}`,
      skipTab: true,
      items: actions?.(page) ?? [],
    }),
  )
}
