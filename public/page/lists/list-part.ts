// Loaded with the view of pages where it shows a list or tags.

import type { ViewContext } from '../../app/view.ts'
import { selectPages } from '../tree/select-pages.ts'
import { showColumnsDialog } from './columns-dialog.ts'
import { showFilterDialog } from './filter-dialog.ts'
import { type ListData, loadList } from './load-list.ts'
import { renderList } from './render-list.ts'
import { saveAsView, saveChanges } from './save-view.ts'
import { loadTags, renderTags } from './tags.ts'

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
