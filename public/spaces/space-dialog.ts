import type { Space } from '../../lib/contract/entities/entities.ts'
import { messageOf } from '../api/api.ts'
import type { App } from '../app/app.ts'
import { showDialog } from '../components/dialog.ts'
import { el } from '../dom.ts'

/** Edits a Space's name and description. */
export function showSpaceDialog(app: App, space: Space, refresh: () => Promise<void>): void {
  const name = el('input', {
    class: 'field',
    id: 'space-name',
    value: space.name,
    maxlength: 200,
    required: true,
  })
  const about = el('input', { class: 'field', id: 'space-about', value: space.description, maxlength: 2000 })
  const problem = el('p', { class: 'problem', role: 'alert' })
  const dialog = showDialog(
    { title: `Edit ${space.name}`, name: 'space' },
    el(
      'form',
      { class: 'stack', onsubmit: submit },
      el('label', { class: 'field-label', for: 'space-name' }, 'Name'),
      name,
      el('label', { class: 'field-label', for: 'space-about' }, 'Description'),
      about,
      problem,
      el(
        'div',
        { class: 'row' },
        el('button', { class: 'button button-primary', type: 'submit' }, 'Save'),
        el('button', { class: 'button', type: 'button', onclick: () => dialog.close() }, 'Cancel'),
      ),
    ),
  )

  async function submit(event: SubmitEvent): Promise<void> {
    event.preventDefault()
    const fields = { name: name.value, description: about.value, version: space.version }
    try {
      await app.api.patch(`/api/spaces/${space.id}`, fields)
      dialog.close()
      await refresh()
    } catch (error) {
      problem.replaceChildren(messageOf(error))
    }
  }
}
