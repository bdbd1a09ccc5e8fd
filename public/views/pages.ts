import type { TreePage } from '../../lib/contract/space/page-tree.ts'
import { createPage } from '../actions/create-page.ts'
import { defineView } from '../app/view.ts'
import { icon } from '../components/icon.ts'
import { el } from '../dom.ts'
import { mountPages } from '../page/tree/mount-pages.ts'
import { createPageLevels } from '../page/tree/page-levels.ts'
import { renderTreeRows } from '../page/tree/tree-rows.ts'

export const view = defineView<{ items: TreePage[] }>({
  load: ({ api, space }) => api.get(`/api/spaces/${space!.id}/page-tree?levels=2`),
  title: (_data, { space }) => `Pages · ${space!.name}`,
  // The tree remembers what was expanded, and follows changes itself.
  keepsItself: () => true,

  render: ({ items }, { app, space }) => [
    el(
      'header',
      { class: 'page-title-row pages-head' },
      el('h1', {}, 'Pages'),
      el(
        'button',
        { class: 'button button-small', type: 'button', onclick: () => createPage(app, space!, null) },
        icon('plus'),
        'New page',
      ),
    ),
    el(
      'div',
      { class: 'pages-tools' },
      quickForm(),
      el('input', {
        class: 'field',
        id: 'filter-pages',
        type: 'search',
        placeholder: 'Find by title',
        'aria-label': 'Find a page by title',
        autocomplete: 'off',
      }),
    ),
    el(
      'div',
      { class: 'page-rows', id: 'page-rows', role: 'tree', 'aria-label': 'Pages' },
      renderTreeRows(createPageLevels(items), {
        space: space!,
        current: null,
        actions: () => [],
        onToggle: () => {},
      }),
    ),
    el('ul', { class: 'rows', id: 'found-pages', hidden: true }),
    el(
      'section',
      { class: 'empty', id: 'no-pages', hidden: items.length > 0 },
      el('p', {}, 'No pages yet.'),
      el(
        'p',
        { class: 'dim' },
        'Type a title above and press Enter, or import a folder of notes in Settings.',
      ),
    ),
  ],

  mount: (root, { items }, context) => mountPages(root, items, context),
})

const quickForm = () =>
  el(
    'form',
    { class: 'quick-page', id: 'quick-page-form' },
    icon('plus'),
    el('input', {
      class: 'quick-page-field',
      id: 'quick-page',
      placeholder: 'New page title',
      'aria-label': 'New page title',
      maxlength: 500,
      autocomplete: 'off',
    }),
    el('button', { class: 'badge quick-page-parent', id: 'quick-page-parent', type: 'button', hidden: true }),
  )
