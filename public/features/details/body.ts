import { messageOf } from '../../app/api/api.ts'
import { bufferKeys } from '../../app/buffer-keys.ts'
import type { ViewContext } from '../../app/view.ts'
import { unsavedNames } from '../../page/data/page-data.ts'
import type { StoredText, UnsavedStore, UnsavedText } from '../../page/unsaved/unsaved-text.ts'
import { icon } from '../../ui/components/icon.ts'
import { el } from '../../ui/dom.ts'
import { renderMarkdown, textContext } from '../../ui/markdown/markdown.ts'
import type { KindType } from '../../ui/words/addresses.ts'
import { type DetailData, type DetailRow, pathOf } from './detail-data.ts'

/** The rendered text, and the button that edits it. */
export function renderBody<Extra>(
  { row, links }: DetailData<DetailRow, Extra>,
  { space }: ViewContext,
): HTMLElement {
  return el(
    'section',
    { class: 'detail-section', id: 'body', 'aria-labelledby': 'body-heading' },
    el(
      'div',
      { class: 'detail-section-head' },
      el('h2', { class: 'detail-heading', id: 'body-heading' }, 'Text'),
      el(
        'button',
        {
          class: 'button button-small button-quiet',
          type: 'button',
          id: 'edit-body',
          title: 'Edit text (e)',
        },
        icon('edit'),
        'Edit',
      ),
    ),
    row.body.trim() === ''
      ? el(
          'p',
          { class: 'dim' },
          'No text yet. ',
          el('span', { class: 'key-hint' }, 'Press ', el('kbd', {}, 'E'), ' to write.'),
        )
      : renderMarkdown(row.body, {
          ...textContext(space!, links),
          folds: 'body',
          offersImages: true,
        }),
  )
}

/** Loaded with the first text that is written, or was left. */
const loadUnsavedText = () => import('../../page/unsaved/unsaved-text.ts')

type BodyContext<Row extends DetailRow, Extra> = {
  type: KindType
  data: DetailData<Row, Extra>
  context: ViewContext
}

/** Opens the editor in place of the text; at once, when unsaved changes are stored. */
export function mountBody<Row extends DetailRow, Extra>(
  root: HTMLElement,
  { type, data, context }: BodyContext<Row, Extra>,
): void {
  const { app, signal, space, refresh } = context
  const { id } = data.row
  const place = root.querySelector<HTMLElement>('#body')
  let store: UnsavedStore | null = null
  root.querySelector('#edit-body')?.addEventListener('click', () => open(null), { signal })
  void openLeft()

  async function openLeft(): Promise<void> {
    if (unsavedNames(id).length === 0) return
    const { loadUnsaved } = await loadUnsavedText()
    for (const unsaved of await loadUnsaved(id)) {
      if (signal.aborted) return
      if (unsaved.text.body === data.row.body) unsaved.clear()
      else await open(unsaved)
    }
  }

  async function open(unsaved: StoredText | null): Promise<void> {
    if (data.activity.editing.has('text')) return
    data.activity.editing.add('text')
    const typed = unsaved ? () => null : bufferKeys(signal)
    const loaded = await Promise.all([import('./body-editor.ts'), loadUnsavedText()]).catch(failToOpen)
    const begun = typed()
    if (!loaded) return
    if (begun?.isLeft && begun.text === '') {
      data.activity.editing.delete('text')
      return
    }
    const [{ createBodyEditor }, { openUnsaved }] = loaded
    store ??= openUnsaved(id, signal)
    const editor = createBodyEditor({
      unsaved,
      store,
      row: () => data.row,
      async send(body, version, save_id) {
        // The next change is made on this version, also when the view is not refreshed before it.
        data.row = await app.api.patch<Row>(pathOf(type, id), { body, version, save_id })
        return data.row
      },
      preview: (body) => renderMarkdown(body, textContext(space!, data.links)),
      now: app.now,
      signal,
      onDone: close,
    })
    place?.replaceChildren(editor.element)
    if (begun) editor.begin(begun.text)
  }

  function failToOpen(error: unknown): void {
    data.activity.editing.delete('text')
    app.toast(messageOf(error), { tone: 'problem' })
  }

  async function close(saved: boolean, discarded: UnsavedText | null): Promise<void> {
    data.activity.editing.delete('text')
    store?.clear()
    await refresh(() => data.activity.editing.size > 0)
    if (data.activity.editing.size > 0) return
    document.querySelector<HTMLElement>('#edit-body')?.focus()
    if (saved) app.announce('Saved')
    if (discarded === null) return
    const run = async () => {
      const { storeUnsaved } = await loadUnsavedText()
      storeUnsaved(id, discarded)
      await refresh()
    }
    app.toast('Discarded your changes to the text.', { action: { label: 'Undo', run } })
  }
}
