import type { Space } from '../../lib/contract/entities.ts'
import { messageOf } from '../api.ts'
import type { App } from '../app.ts'
import { showDialog } from '../components/dialog.ts'
import { el } from '../dom.ts'

type Refresh = () => Promise<void>

/** Asks for a Space's name and what it is about. */
export function askForSpace(app: App, space: Space, refresh: Refresh): void {
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
    { title: `Rename ${space.name}`, name: 'space' },
    el(
      'form',
      { class: 'stack', onsubmit: submit },
      el('label', { class: 'field-label', for: 'space-name' }, 'Name'),
      name,
      el('label', { class: 'field-label', for: 'space-about' }, 'What it is about'),
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

/** Puts a Space into the trash, with all that it holds, and offers to take it back. */
export async function deleteSpace(app: App, space: Space, refresh: Refresh): Promise<void> {
  try {
    await app.api.delete(`/api/spaces/${space.id}`, { version: space.version })
    const action = { label: 'Undo', run: () => restoreSpace(app, space, refresh) }
    app.toast(`Deleted the Space ${space.name}`, { action })
  } catch (error) {
    app.toast(messageOf(error), { tone: 'problem' })
  }
  await refresh()
}

export async function restoreSpace(app: App, space: Space, refresh: Refresh): Promise<void> {
  try {
    await app.api.post(`/api/spaces/${space.id}/restore`)
  } catch (error) {
    app.toast(messageOf(error), { tone: 'problem' })
  }
  await refresh()
}
