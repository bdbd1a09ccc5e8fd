import type { ViewContext } from '../../app/view.ts'
import { renderMenu } from '../../ui/components/menu.ts'
import { type Child, el } from '../../ui/dom.ts'
import { entityHref, spaceHref, withQuery } from '../../ui/words/addresses.ts'
import type { ListData, Saved } from './load-list.ts'
import { deleteView, renameView } from './save-view.ts'

/** The saved views of the Space; of a file with several views, which one is shown. */
export function renderSaved(data: ListData, context: ViewContext): Child {
  const { saved, views } = data
  const { slug } = context.space!
  return [
    saved && renderHead(saved, data, context),
    saved && saved.views.length > 1 && renderTabs(saved, context),
    !saved &&
      views.length > 0 &&
      el(
        'nav',
        { class: 'list-views', 'aria-label': 'Saved views' },
        views.map(({ id, title }) =>
          el('a', { class: 'badge', href: entityHref(slug, 'page_view', id)! }, title),
        ),
      ),
  ]
}

function renderHead(saved: Saved, data: ListData, context: ViewContext): HTMLElement {
  const { slug } = context.space!
  const isFile = saved.kind === 'source_doc'
  return el(
    'p',
    { class: 'crumbs list-crumbs' },
    el('a', { href: withQuery(`${spaceHref(slug)}/pages`, { view: 'table' }) }, 'All pages'),
    isFile && el('a', { href: entityHref(slug, 'source_doc', saved.id)! }, 'Show the file'),
    !isFile &&
      renderMenu({
        id: 'view-menu',
        label: 'More actions for this view',
        items: [
          { label: 'Rename', icon: 'edit', run: () => renameView(data, context) },
          { label: 'Move to trash', icon: 'trash', danger: true, run: () => deleteView(data, context) },
        ],
      }),
  )
}

const renderTabs = ({ id, views, at, kind }: Saved, { space }: ViewContext): HTMLElement =>
  el(
    'nav',
    { class: 'list-views', 'aria-label': 'Views of this file' },
    views.map(({ name }, index) =>
      el(
        'a',
        {
          class: 'badge',
          'aria-current': index === at ? 'page' : null,
          href: withQuery(entityHref(space!.slug, 'page_view', id)!, {
            file: kind === 'source_doc' ? 1 : null,
            n: index === 0 ? null : index,
          }),
        },
        name,
      ),
    ),
  )
