import { messageOf } from '../../app/api/api.ts'
import { type Autosave, createAutosave, type SavedPage, type SaveState } from '../../page/edit/autosave.ts'
import { createDeviceCopy } from '../../page/edit/device-copy.ts'
import { mergeWithMarkers } from '../../page/unsaved/merge-with-markers.ts'
import {
  baseOf,
  knownBase,
  type StoredText,
  type UnsavedStore,
  type UnsavedText,
} from '../../page/unsaved/unsaved-text.ts'
import { type Child, el } from '../../ui/dom.ts'
import type { DetailRow } from './detail-data.ts'

export type BodyEditorOptions = {
  /** The text that was left unsaved. */
  unsaved: StoredText | null
  /** Where the text is stored on this device. */
  store: UnsavedStore
  /** The entity as it was last saved here. */
  row: () => DetailRow
  send: (body: string, version: number, saveId: string) => Promise<DetailRow>
  preview: (body: string) => HTMLElement
  now: () => Date
  signal: AbortSignal
  /** `discarded`: changes that were cancelled. */
  onDone: (saved: boolean, discarded: UnsavedText | null) => void
}

type BodyEditor = {
  element: HTMLElement
  /** Takes the focus, with what was typed until then at the end. */
  begin(typed: string): void
}

/** A plain field for Markdown with a preview. Unsaved text is stored on this device. */
export function createBodyEditor(options: BodyEditorOptions): BodyEditor {
  const { unsaved, store, row, preview, now, onDone } = options
  const notice = el('div', { class: 'body-notice', role: 'alert' })
  const field = el('textarea', {
    class: 'field body-field',
    id: 'body-field',
    rows: 10,
    'aria-label': 'Text (Markdown)',
    oninput: onInput,
    onkeydown: onKey,
  })
  field.value = unsaved?.text.body ?? row().body
  const read = () => ({ title: autosave.base().title, body: field.value })
  let sentId: string | undefined
  const autosave = createBodySave(options, { field, onState, onSend })
  const copy = createDeviceCopy(store, { autosave, fields: { read }, saveId: () => sentId, now })
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
  if (unsaved) restore(unsaved)
  return { element, begin }

  function begin(typed: string): void {
    field.focus()
    if (typed === '') return
    field.setRangeText(typed, field.value.length, field.value.length, 'end')
    onInput()
  }

  function restore({ text, clear }: StoredText): void {
    showNotice('Restored unsaved changes. Save them, or cancel to discard them.')
    if (store.write(text)) clear()
    // What changed the text may have been the save of it.
    if (text.saveId) void save()
    else autosave.reconcile({ ...row(), title: autosave.base().title })
  }

  function onSend(saveId: string): void {
    sentId = saveId
    copy.store()
  }

  function onInput(): void {
    autosave.changed()
    if (field.value === autosave.base().body) store.clear()
    else copy.store()
  }

  async function save(): Promise<void> {
    // The title may have been saved meanwhile, and the links of the text to itself with it.
    autosave.takeOwn(row())
    do await autosave.flush()
    while (autosave.state().name === 'unsaved')
    if (autosave.state().name === 'saved') onDone(true, null)
    // In a low window what it says is above what is shown.
    else notice.scrollIntoView({ block: 'nearest' })
  }

  function cancel(): void {
    discard(row().body)
  }

  function discard(saved: string): void {
    const { version, ...base } = autosave.base()
    const text = { ...read(), version, base: knownBase(base), at: now().toISOString() }
    onDone(false, text.body === saved ? null : text)
  }

  function onKey(event: KeyboardEvent): void {
    if (event.isComposing) return
    const isSave = event.key === 'Enter' && (event.ctrlKey || event.metaKey)
    if (!isSave && event.key !== 'Escape') return
    event.preventDefault()
    if (isSave) save()
    else cancel()
  }

  function onState(state: SaveState): void {
    if (state.name === 'conflict') showConflict(state.theirs)
    if (state.name === 'failed')
      showNotice(`Not saved. ${messageOf(state.error)} Your text is stored on this device.`)
  }

  function showConflict(theirs: SavedPage): void {
    const merged = mergeWithMarkers(knownBase(autosave.base())?.body ?? null, field.value, theirs.body)
    const keep = () => {
      autosave.rebase(theirs)
      void save()
    }
    const merge = () => {
      field.value = merged.text
      autosave.rebase(theirs)
      copy.store()
      showNotice('Merged. Review the text, then save it.')
    }
    showNotice(
      'Edited in another window. Your text is still here and not saved.',
      el('details', {}, el('summary', {}, 'Saved version'), preview(theirs.body)),
      el(
        'div',
        { class: 'row' },
        button('Keep my version', 'button-small', keep),
        button('Use saved version', 'button-small', () => discard(theirs.body)),
        merged.conflicts === 0 && button('Merge', 'button-small', merge),
      ),
    )
  }

  function showNotice(message: string, ...more: Child[]): void {
    notice.replaceChildren(el('div', { class: 'notice stack' }, el('p', {}, message), more))
  }
}

type Parts = {
  field: HTMLTextAreaElement
  onState: (state: SaveState) => void
  onSend: (saveId: string) => void
}

/** Saves the text when told to, and nothing else of the entity. */
function createBodySave(
  { unsaved, row, send, signal }: BodyEditorOptions,
  { field, onState, onSend }: Parts,
): Autosave {
  const isOld = unsaved !== null && unsaved.text.version !== row().version
  const autosave: Autosave = createAutosave({
    base: unsaved ? baseOf(unsaved.text, row()) : row(),
    saveId: (isOld && unsaved.text.saveId) || null,
    read: () => ({ title: autosave.base().title, body: field.value }),
    send({ body = field.value }, version, saveId) {
      onSend(saveId)
      return send(body, version, saveId)
    },
    onState,
    onTheirs({ body }) {
      if (body !== undefined) field.value = body
    },
    onSaved: () => {},
    isHeld: () => true,
    signal,
  })
  return autosave
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
