// Chooses a new parent page: a tree, filtered by typing. The focus stays in the field; the arrow keys move through the
// tree.

import type { Page, Space } from '../../../lib/contract/entities.ts'
import { quoteShown } from '../../../lib/core/text/quote-name.ts'
import type { App } from '../../app/app.ts'
import { showDialog } from '../../ui/components/dialog.ts'
import { el } from '../../ui/dom.ts'
import { mountParentChooser } from './parent-chooser.ts'

export type ChosenParent = { id: string | null; title: string }

/** Resolves to the new parent (`id` null: the top level), or to `null` when it is cancelled. */
export function askForParent(app: App, space: Space, pages: readonly Page[]): Promise<ChosenParent | null> {
  const { promise, resolve } = Promise.withResolvers<ChosenParent | null>()
  const [first] = pages
  const what = pages.length === 1 && first ? quoteShown(first.title) : `${pages.length} pages`
  const list = el('div', { class: 'move-list', id: 'move-list', role: 'tree', 'aria-label': 'Pages' })
  const field = el('input', {
    class: 'field',
    id: 'move-field',
    role: 'combobox',
    placeholder: 'Find a page by title',
    'aria-label': `New parent page of ${what}`,
    'aria-expanded': true,
    'aria-controls': 'move-list',
    autocomplete: 'off',
    autofocus: true,
  })
  const dialog = showDialog(
    { title: `Move ${what}`, name: 'move', onClose: () => resolve(null) },
    field,
    list,
    el(
      'p',
      { class: 'dim small' },
      '↑ ↓ to choose, → ← to expand and collapse, Enter to move, Escape to cancel.',
    ),
  )
  mountParentChooser(
    { field, list },
    {
      app,
      space,
      pages,
      onChoice({ id, title }) {
        resolve({ id, title })
        dialog.close()
      },
    },
  )
  return promise
}
