import type { Space } from '../../../lib/contract/entities.ts'
import type { Source } from '../../../lib/contract/sources.ts'
import { quoteShown } from '../../../lib/core/text/quote-name.ts'
import type { ViewContext } from '../../app/view.ts'
import { el } from '../../ui/dom.ts'
import { renderSourceForm } from './source-form.ts'

/** The form for a new source. It is tested as soon as it is there. */
export function renderNewSource(spaces: readonly Space[], { app, refresh }: ViewContext): HTMLElement {
  const space = el(
    'select',
    { class: 'field', id: 'source-space' },
    spaces.map(({ id, name }) => el('option', { value: id }, name)),
  )
  const form = renderSourceForm({
    source: null,
    label: 'Add source',
    icon: 'plus',
    lead: [
      el('h3', {}, 'New source'),
      el('label', { class: 'field-label', for: 'source-space' }, 'Space'),
      space,
    ],
    onSave: add,
  })
  return form

  async function add(fields: Record<string, unknown>): Promise<void> {
    const { id, name } = await app.api.post<Source>(`/api/spaces/${space.value}/sources`, fields)
    const chosen = space.value
    form.reset()
    space.value = chosen
    await app.api.post(`/api/sources/${id}/test`)
    app.toast(`Added source ${quoteShown(name)}.`)
    await refresh()
  }
}
