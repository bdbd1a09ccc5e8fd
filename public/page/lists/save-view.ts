import type { Entity } from '../../../lib/contract/entities.ts'
import { quoteShown } from '../../../lib/core/text/quote-name.ts'
import { deleteWithUndo } from '../../app/actions/delete-with-undo.ts'
import { ApiError, messageOf } from '../../app/api/api.ts'
import type { ViewContext } from '../../app/view.ts'
import { showDialog } from '../../ui/components/dialog.ts'
import { el } from '../../ui/dom.ts'
import { entityHref, spaceHref, withQuery } from '../../ui/words/addresses.ts'
import type { ListData } from './load-list.ts'
import { writeBase } from './write-base.ts'

/** Asks for a name and saves what is shown as a view of the Space. */
export function saveAsView({ state, saved }: ListData, { app, space }: ViewContext): void {
  askName(
    { title: 'Save as view', name: saved?.views[saved.at]?.name ?? '', action: 'Save view' },
    async (title) => {
      const body = writeBase(title, state)
      const made = await app.api.post<Entity>(`/api/spaces/${space!.id}/views`, { title, body })
      app.toast(`Saved ${quoteShown(title)}.`)
      await app.navigate(entityHref(space!.slug, 'page_view', made.id)!)
    },
  )
}

/** Saves what is shown in place of what the view showed. */
export async function saveChanges(data: ListData, { app, space }: ViewContext): Promise<void> {
  const { id, title, version } = data.saved!
  data.isBusy = true
  try {
    await app.api.patch(`/api/views/${id}`, { version, body: writeBase(title, data.state) })
    app.toast(`Saved ${quoteShown(title)}.`)
    await app.navigate(entityHref(space!.slug, 'page_view', id)!, { replace: true })
  } catch (error) {
    data.isBusy = false
    app.toast(`Could not save ${quoteShown(title)}. ${whyNot(error)}`, { tone: 'problem' })
  }
}

export function renameView(data: ListData, { app, refresh }: ViewContext): void {
  const { id, title: name, version } = data.saved!
  askName({ title: 'Rename view', name, action: 'Rename' }, async (title) => {
    data.isBusy = true
    try {
      await app.api.patch(`/api/views/${id}`, { version, title })
      await refresh()
    } finally {
      data.isBusy = false
    }
  })
}

export async function deleteView(data: ListData, { app, space }: ViewContext): Promise<void> {
  const saved = data.saved!
  const back = () => app.navigate(entityHref(space!.slug, 'page_view', saved.id)!)
  data.isBusy = true
  if (!(await deleteWithUndo(app, 'page_view', saved, back))) data.isBusy = false
  else await app.navigate(withQuery(`${spaceHref(space!.slug)}/pages`, { view: 'table' }))
}

const whyNot = (error: unknown): string =>
  error instanceof ApiError && error.status === 409
    ? 'It was changed in the meantime. Open it again, then save.'
    : messageOf(error)

function askName(
  { title, name, action }: { title: string; name: string; action: string },
  save: (name: string) => Promise<void>,
): void {
  const field = el('input', { class: 'field', id: 'view-name', value: name, maxlength: 200, required: true })
  const problem = el('p', { class: 'problem', role: 'alert' })
  const dialog = showDialog(
    { title, name: 'view' },
    el(
      'form',
      { class: 'stack', onsubmit: submit },
      el('label', { class: 'field-label', for: 'view-name' }, 'Name'),
      field,
      problem,
      el('div', { class: 'row' }, el('button', { class: 'button button-primary', type: 'submit' }, action)),
    ),
  )
  field.focus()

  async function submit(event: SubmitEvent): Promise<void> {
    event.preventDefault()
    const value = field.value.trim()
    if (value === '') return
    try {
      await save(value)
      dialog.close()
    } catch (error) {
      problem.textContent = `Could not save. ${whyNot(error)}`
    }
  }
}
