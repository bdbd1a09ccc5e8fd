import { el } from '../dom.ts'

export type TitleEditorOptions = {
  title: string
  /** The class of the field. */
  name: string
  /** A choice that belongs to it, shown while the title is edited: to press or focus it does not end the editing. */
  choice?: HTMLElement | null
  /** Gets the new title, or null when it has not changed. */
  onEnd: (title: string | null) => void
  /** Ends the editing as leaving the field does. */
  signal?: AbortSignal
}

/** Turns the button of a title into a field. Enter or leaving the field confirms what was typed, Escape cancels. */
export function editTitle(
  button: HTMLElement | null,
  { title, name, choice = null, onEnd, signal }: TitleEditorOptions,
): void {
  if (!button) return
  let done = false
  const field = el('textarea', {
    class: name,
    id: 'title-field',
    rows: 1,
    maxlength: 500,
    'aria-label': 'Title',
    onblur: leave,
    onkeydown: onKey,
  })
  field.value = title
  button.replaceWith(field)
  field.focus()
  field.select()
  signal?.addEventListener('abort', () => finish(field.value))
  choice?.addEventListener('focusout', leave)
  choice?.addEventListener('keydown', onKey)
  // The field keeps the focus, so that what is pressed here is no leaving.
  choice?.addEventListener('mousedown', (event) => event.preventDefault())

  function leave({ relatedTarget }: FocusEvent): void {
    const isWithin =
      relatedTarget === field || (relatedTarget instanceof Node && choice?.contains(relatedTarget))
    if (!isWithin) finish(field.value)
  }

  function onKey(event: KeyboardEvent): void {
    if (event.isComposing || (event.key !== 'Enter' && event.key !== 'Escape')) return
    event.preventDefault()
    finish(event.key === 'Enter' ? field.value : title)
    button?.focus()
  }

  function finish(value: string): void {
    if (done) return
    done = true
    const typed = value.replace(/\s+/g, ' ').trim()
    const isNew = typed !== '' && typed !== title
    if (isNew) button!.textContent = typed
    choice?.remove()
    if (field.isConnected) field.replaceWith(button!)
    onEnd(isNew ? typed : null)
  }
}
