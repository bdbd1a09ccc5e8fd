import { el } from '../dom.ts'

/**
 * Turns the title into a field. Enter or leaving it keeps what was typed, Escape the title as it was. `onEnd` gets the
 * new title, or null when there is none.
 */
export function startRename(root: HTMLElement, title: string, onEnd: (title: string | null) => void): void {
  const button = root.querySelector<HTMLButtonElement>('#rename')
  if (!button) return
  let over = false
  const field = el('textarea', {
    class: 'detail-title-field',
    id: 'title-field',
    rows: 1,
    maxlength: 500,
    'aria-label': 'Title',
    onblur: () => finish(field.value),
    onkeydown: (event: KeyboardEvent) => {
      if (event.isComposing || (event.key !== 'Enter' && event.key !== 'Escape')) return
      event.preventDefault()
      finish(event.key === 'Enter' ? field.value : title)
      button.focus()
    },
  })
  field.value = title
  button.replaceWith(field)
  field.focus()
  field.select()

  function finish(value: string): void {
    if (over) return
    over = true
    const changed = value.replace(/\s+/g, ' ').trim()
    field.replaceWith(button!)
    const isNew = changed !== '' && changed !== title
    if (isNew) button!.textContent = changed
    onEnd(isNew ? changed : null)
  }
}
