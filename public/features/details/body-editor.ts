import { ApiError, messageOf } from '../../app/api/api.ts'
import type { SavedText } from '../../app/storage/saved-text.ts'
import { type Child, el } from '../../ui/dom.ts'
import type { DetailRow } from './detail-data.ts'

export type BodyEditorOptions = {
  text: string
  /** The text was left unsaved. */
  restored: boolean
  draft: SavedText
  /** The saved text and its version. */
  base: () => { body: string; version: number }
  send: (body: string, version: number) => Promise<DetailRow>
  preview: (body: string) => HTMLElement
  /** `discarded`: changes that were cancelled. */
  onDone: (saved: boolean, discarded: string | null) => void
}

/** A plain field for Markdown with a preview. Unsaved text is stored on this device. */
export function createBodyEditor(options: BodyEditorOptions): { element: HTMLElement; focus(): void } {
  const { text, restored, draft, base, preview, onDone } = options
  const notice = el('div', { class: 'body-notice', role: 'alert' })
  const field = el('textarea', {
    class: 'field body-field',
    id: 'body-field',
    rows: 10,
    'aria-label': 'Text (Markdown)',
    oninput: () => draft.write(field.value === base().body ? '' : field.value),
    onkeydown: onKey,
  })
  field.value = text
  const save = createSave(options, () => field.value, showNotice)
  const { toggle, previewed } = createPreviewToggle(field, preview)
  const element = el(
    'div',
    { class: 'body-editor' },
    notice,
    field,
    previewed,
    el(
      'div',
      { class: 'row' },
      button('Save', 'button-primary', save, { title: 'Save (Ctrl or ⌘ Enter)' }),
      button('Cancel', '', cancel),
      toggle,
      el('span', { class: 'dim small' }, 'Markdown. [[Title]] links to the page with that title.'),
    ),
  )
  if (restored) showNotice('Restored unsaved changes. Save them, or cancel to discard them.')
  return { element, focus: () => field.focus() }

  function cancel(): void {
    onDone(false, field.value === base().body ? null : field.value)
  }

  function onKey(event: KeyboardEvent): void {
    if (event.isComposing) return
    const isSave = event.key === 'Enter' && (event.ctrlKey || event.metaKey)
    if (!isSave && event.key !== 'Escape') return
    event.preventDefault()
    if (isSave) save()
    else cancel()
  }

  function showNotice(message: string, ...more: Child[]): void {
    notice.replaceChildren(el('div', { class: 'notice stack' }, el('p', {}, message), more))
  }
}

/** Saves what `read` returns; after a change from elsewhere to the same text, asks which version to keep. */
function createSave(
  { base, send, preview, onDone }: BodyEditorOptions,
  read: () => string,
  showNotice: (message: string, ...more: Child[]) => void,
): () => Promise<void> {
  const before = base().body
  let { version } = base()
  let saving = false
  return () => save(version)

  async function save(on: number): Promise<void> {
    if (saving) return
    if (read() === base().body) return onDone(false, null)
    saving = true
    try {
      await send(read(), on)
      onDone(true, null)
    } catch (error) {
      saving = false
      const current = currentOf(error)
      // Another field has changed, not the text: there is nothing to choose between.
      if (current?.body === before && current.version !== on) await save(current.version)
      else if (current) showConflict(current)
      else showNotice(`Not saved. ${messageOf(error)} Your text is stored on this device.`)
    }
  }

  function showConflict(current: { body: string; version: number }): void {
    const overwrite = () => {
      version = current.version
      save(version)
    }
    const discard = () => onDone(false, read() === base().body ? null : read())
    showNotice(
      'Edited in another window. Your text is still here and not saved.',
      el('details', {}, el('summary', {}, 'Saved version'), preview(current.body)),
      el(
        'div',
        { class: 'row' },
        button('Keep my version', 'button-small', overwrite),
        button('Use saved version', 'button-small', discard),
      ),
    )
  }
}

/** The button that shows the preview in place of the field. */
function createPreviewToggle(field: HTMLTextAreaElement, preview: (body: string) => HTMLElement) {
  const previewed = el('div', { class: 'body-preview', hidden: true })
  const toggle = button('Preview', 'button-quiet', onToggle, { 'aria-pressed': false })
  return { previewed, toggle }

  function onToggle(): void {
    const showing = previewed.hidden
    previewed.replaceChildren(...(showing ? [preview(field.value)] : []))
    previewed.hidden = !showing
    field.hidden = showing
    toggle.setAttribute('aria-pressed', String(showing))
    if (!showing) field.focus()
  }
}

function button(
  label: string,
  look: string,
  onclick: () => void,
  props: Record<string, string | boolean> = {},
): HTMLButtonElement {
  return el('button', { ...props, class: ['button', look], type: 'button', onclick }, label)
}

/** What the server has, when it refused an old version. */
function currentOf(error: unknown): { body: string; version: number } | null {
  if (!(error instanceof ApiError) || error.status !== 409) return null
  const { current } = error.details
  if (typeof current !== 'object' || current === null) return null
  const body: unknown = Reflect.get(current, 'body')
  const version: unknown = Reflect.get(current, 'version')
  return typeof body === 'string' && typeof version === 'number' ? { body, version } : null
}
