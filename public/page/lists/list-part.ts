// Loaded with the view of pages where it shows a list or tags.

import type { TagCount } from '../../../lib/contract/space/pages.ts'
import type { LoadContext, ViewContext } from '../../app/view.ts'
import { type Child, el } from '../../ui/dom.ts'
import { tagHref } from '../../ui/words/addresses.ts'
import { selectPages } from '../tree/select-pages.ts'
import { showColumnsDialog, showFilterDialog } from './filter-dialog.ts'
import { type ListData, loadList } from './load-list.ts'
import { renderList } from './render-list.ts'
import { saveAsView, saveChanges } from './save-view.ts'

const loadTags = ({ api, space }: LoadContext): Promise<{ items: TagCount[] }> =>
  api.get(`/api/spaces/${space!.id}/tags`)

export { loadList, loadTags, renderList, renderTags }

export function mountList(root: HTMLElement, data: ListData, context: ViewContext): void {
  const on = (id: string, run: () => void) =>
    root.querySelector(`#${id}`)?.addEventListener('click', run, { signal: context.signal })
  on('add-filter', () => showFilterDialog(data, context))
  on('choose-columns', () => showColumnsDialog(data, context))
  on('save-view', () => saveAsView(data, context))
  on('save-changes', () => saveChanges(data, context))
  const list = root.querySelector<HTMLElement>('.list-scroll, .list-cards')
  if (list) selectPages(list, '[data-id]', context, context.refresh)
}

/** The tags of a Space, nested ones below what they are nested in, each with its pages. */
function renderTags({ items }: { items: readonly TagCount[] }, { space }: ViewContext): Child {
  if (items.length === 0)
    return el(
      'section',
      { class: 'empty' },
      el('p', {}, 'No tags yet.'),
      el('p', { class: 'dim' }, 'Write #tag in the text of a page, or list tags in its properties.'),
    )
  const below = Map.groupBy(items, ({ tag }) => tag.slice(0, Math.max(0, tag.lastIndexOf('/'))))
  return renderLevel('', below, space!.slug)
}

function renderLevel(
  above: string,
  below: ReadonlyMap<string, readonly TagCount[]>,
  slug: string,
): HTMLElement {
  return el(
    'ul',
    { class: ['tag-level', above === '' && 'tag-top'], 'aria-label': above === '' ? 'Tags' : null },
    (below.get(above) ?? []).map(({ tag, name, count }) =>
      el(
        'li',
        {},
        el(
          'a',
          { class: 'tag-row', id: `tag-${tag}`, href: tagHref(slug, tag) },
          el('span', { class: 'tag-name' }, `#${name.slice(name.lastIndexOf('/') + 1)}`),
          el(
            'span',
            { class: 'tag-count' },
            count,
            el('span', { class: 'visually-hidden' }, count === 1 ? ' page' : ' pages'),
          ),
        ),
        below.has(tag) && renderLevel(tag, below, slug),
      ),
    ),
  )
}
