import { ApiError, messageOf } from '../api.ts'
import { type Child, el } from '../dom.ts'
import type { Draft } from '../drafts.ts'
import type { DetailRow } from './detail-data.ts'

export type BodyEditorOptions = {
  text: string
  /** The text was left behind unsaved. */
  restored: boolean
  draft: Draft
  /** What is kept now, and its version. */
  base: () => { body: string; version: number }
  send: (body: string, version: number) => Promise<DetailRow>
  preview: (body: string) => HTMLElement
  /** `discarded`: a changed text that was given up. */
  onDone: (saved: boolean, discarded: string | null) => void
}

/** A plain field for Markdown with a preview. What is typed is kept on this device until it is saved. */
export function createBodyEditor(options: BodyEditorOptions): { element: HTMLElement; focus(): void } {
  const { text, restored, draft, base, send, preview, onDone } = options
  let { version } = base()
  const before = base().body
  let saving = false
  const field = el('textarea', {
    class: 'field body-field',
    id: 'body-field',
    rows: 10,
    'aria-label': 'Text, in Markdown',
    oninput: () => draft.write(field.value === base().body ? '' : field.value),
    onkeydown: onKey,
  })
  field.value = text
  const notice = el('div', { class: 'body-notice', role: 'alert' })
  const shown = el('div', { class: 'body-preview', hidden: true })
  const previewButton = button('Preview', 'button-quiet', togglePreview, { 'aria-pressed': false })
  const element = el(
    'div',
    { class: 'body-editor' },
    notice,
    field,
    shown,
    el(
      'div',
      { class: 'row' },
      button('Save', 'button-primary', () => save(version), { title: 'Save (Ctrl or ⌘ Enter)' }),
      button('Cancel', '', cancel),
      previewButton,
      el('span', { class: 'dim small' }, 'Markdown; [[Title]] links to what has that title.'),
    ),
  )
  if (restored) tell('This text was left here unsaved. Save it, or cancel to go back to what is kept.')
  return { element, focus: () => field.focus() }

  async function save(on: number): Promise<void> {
    if (saving) return
    if (field.value === base().body) return onDone(false, null)
    saving = true
    try {
      await send(field.value, on)
      onDone(true, null)
    } catch (error) {
      saving = false
      const theirs = currentOf(error)
      // Another field has changed, not the text: there is nothing to choose between.
      if (theirs?.body === before && theirs.version !== on) await save(theirs.version)
      else if (theirs) conflict(theirs)
      else tell(`Not saved. ${messageOf(error)} Your text is kept on this device.`)
    }
  }

  function conflict(theirs: { body: string; version: number }): void {
    tell(
      'This was changed elsewhere meanwhile. Your text is still here and not saved.',
      el('details', {}, el('summary', {}, 'The text as it is now'), preview(theirs.body)),
      el(
        'div',
        { class: 'row' },
        button('Save mine over it', 'button-small', () => {
          version = theirs.version
          save(version)
        }),
        button('Keep theirs', 'button-small', cancel),
      ),
    )
  }

  function cancel(): void {
    onDone(false, field.value === base().body ? null : field.value)
  }

  function togglePreview(): void {
    const showing = shown.hidden
    shown.replaceChildren(...(showing ? [preview(field.value)] : []))
    shown.hidden = !showing
    field.hidden = showing
    previewButton.setAttribute('aria-pressed', String(showing))
    if (!showing) field.focus()
  }

  function onKey(event: KeyboardEvent): void {
    if (event.isComposing) return
    if (event.key === 'Enter' && (event.ctrlKey || event.metaKey)) {
      event.preventDefault()
      save(version)
    } else if (event.key === 'Escape') {
      event.preventDefault()
      cancel()
    }
  }

  function tell(words: string, ...more: Child[]): void {
    notice.replaceChildren(el('div', { class: 'notice stack' }, el('p', {}, words), more))
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
