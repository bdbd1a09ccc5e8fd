import { messageOf } from '../../app/api/api.ts'
import { savedText } from '../../app/storage/saved-text.ts'
import type { ViewContext } from '../../app/view.ts'
import { icon } from '../../ui/components/icon.ts'
import { el } from '../../ui/dom.ts'
import { renderMarkdown } from '../../ui/markdown/markdown.ts'
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
          slug: space!.slug,
          links: links.links,
          folds: 'body',
          offersImages: true,
        }),
  )
}

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
  const place = root.querySelector<HTMLElement>('#body')
  const draft = savedText(`text:${data.row.id}`)
  const unsaved = draft.read()
  root.querySelector('#edit-body')?.addEventListener('click', () => open(data.row.body, false), { signal })
  if (unsaved !== '' && unsaved !== data.row.body) open(unsaved, true)

  async function open(text: string, restored: boolean): Promise<void> {
    if (data.activity.editing) return
    data.activity.editing = true
    const loaded = await import('./body-editor.ts').catch(failToOpen)
    if (!loaded) return
    const { createBodyEditor } = loaded
    const editor = createBodyEditor({
      text,
      restored,
      draft,
      base: () => ({ body: data.row.body, version: data.row.version }),
      async send(body, version) {
        // The next change is made on this version, also when the view is not refreshed before it.
        data.row = await app.api.patch<Row>(pathOf(type, data.row.id), { body, version })
        return data.row
      },
      preview: (body) => renderMarkdown(body, { slug: space!.slug, links: data.links.links }),
      onDone: close,
    })
    place?.replaceChildren(editor.element)
    if (!restored) editor.focus()
  }

  function failToOpen(error: unknown): void {
    data.activity.editing = false
    app.toast(messageOf(error), { tone: 'problem' })
  }

  async function close(saved: boolean, discarded: string | null): Promise<void> {
    data.activity.editing = false
    draft.write('')
    await refresh(() => data.activity.editing)
    if (data.activity.editing) return
    document.querySelector<HTMLElement>('#edit-body')?.focus()
    if (saved) app.announce('Saved')
    if (discarded === null) return
    const run = async () => {
      draft.write(discarded)
      await refresh()
    }
    app.toast('Discarded your changes to the text.', { action: { label: 'Undo', run } })
  }
}
