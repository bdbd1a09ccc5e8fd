// The file that a page is: its path, which renames or moves it, and the encoding that it was read in.

import type { Page } from '../../../lib/contract/entities.ts'
import { textEncodings } from '../../../lib/contract/space/text-encodings.ts'
import { problemOfPath } from '../../../lib/core/text/paths.ts'
import { quoteShown } from '../../../lib/core/text/quote-name.ts'
import { messageOf } from '../../app/api/api.ts'
import type { ViewContext } from '../../app/view.ts'
import { showDialog } from '../../ui/components/dialog.ts'
import { type Child, el } from '../../ui/dom.ts'
import { backlinkCount } from '../../ui/words/linked-rows.ts'
import { changePage, type LivePage, pagePath } from '../data/page-data.ts'

/** Asks for another path. Links to the page follow, as with any rename or move. */
export function editPath({ page, links }: LivePage, { app, refresh }: ViewContext): void {
  const field = el('input', {
    class: 'field',
    id: 'path-field',
    value: page.path ?? '',
    maxlength: 2000,
    required: true,
    autocomplete: 'off',
    spellcheck: 'false',
    'aria-describedby': 'path-hint',
  })
  const count = links.backlinks.length
  const follow =
    count === 1
      ? '1 item links here. Its link follows.'
      : `${backlinkCount(links.backlinks)} items link here. Their links follow.`
  const hint = [
    'From the top of the Space, such as People/Alice Chen.md. Another folder moves the page, with what is below it.',
    ...(count > 0 ? [follow] : []),
  ].join(' ')
  const dialog = formDialog('Path', { field, hint, action: 'Save' }, async () => {
    const path = field.value.trim()
    const problem = problemOfPath(path)
    if (problem !== null) throw new Error(`The path ${problem}.`)
    const moved = path === page.path ? page : await changePage(app, page, { path })
    dialog.close()
    if (moved === page) return
    const undo = () => run(() => changePage(app, moved, { path: page.path, title: page.title }))
    app.toast(`Moved to ${quoteShown(moved.path ?? path)}.`, { action: { label: 'Undo', run: undo } })
    await refresh()
  })

  async function run(change: () => Promise<unknown>): Promise<void> {
    try {
      await change()
      await refresh()
    } catch (error) {
      app.toast(`Could not move the page back. ${messageOf(error)}`, { tone: 'problem' })
    }
  }
}

/** Asks for another encoding, and reads the file of the page in it. */
export function editEncoding({ page, place }: LivePage, { app, refresh }: ViewContext): void {
  const options = Object.entries(textEncodings).map(([value, name]) =>
    el('option', { value, selected: value === place.read_as }, name),
  )
  const field = el(
    'select',
    { class: 'field', id: 'encoding-field', 'aria-describedby': 'encoding-hint' },
    options,
  )
  const hint =
    'The file is not plain UTF-8, so its encoding was a guess. Its bytes are kept: another one can be tried at any time.'
  const dialog = formDialog('Read as', { field, hint, action: 'Read again' }, async () => {
    const { version } = page
    await app.api.post<Page>(`${pagePath(page.id)}/read-as`, { encoding: field.value, version })
    dialog.close()
    await refresh()
  })
}

type FormParts = { field: HTMLInputElement | HTMLSelectElement; hint: Child; action: string }

function formDialog(
  title: string,
  { field, hint, action }: FormParts,
  save: () => Promise<void>,
): HTMLDialogElement {
  const problem = el('p', { class: 'problem', role: 'alert' })
  const dialog = showDialog(
    { title, name: 'page-file' },
    el(
      'form',
      { class: 'stack', onsubmit: submit },
      el('label', { class: 'visually-hidden', for: field.id }, title),
      field,
      el('p', { class: 'dim small', id: field.getAttribute('aria-describedby') }, hint),
      problem,
      el(
        'div',
        { class: 'row' },
        el('button', { class: 'button button-primary', type: 'submit' }, action),
        el('button', { class: 'button', type: 'button', onclick: () => dialog.close() }, 'Cancel'),
      ),
    ),
  )
  return dialog

  async function submit(event: SubmitEvent): Promise<void> {
    event.preventDefault()
    try {
      await save()
    } catch (error) {
      problem.replaceChildren(messageOf(error))
    }
  }
}
