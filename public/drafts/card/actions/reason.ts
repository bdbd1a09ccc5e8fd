import { savedText } from '../../../app/storage/saved-text.ts'
import { el } from '../../../ui/dom.ts'

type ReasonOptions = {
  id: string
  /** The name under which unsent text is stored. */
  draft: string
  action: string
  small: boolean
  /** The labels of the button that opens it, of its field, and of the button that sends it. */
  open: string
  label: string
  placeholder: string
  send: string
  danger: boolean
  onSend: (text: string) => Promise<void>
}

/** A button that opens a text field. A native disclosure, so it stays open when the view is drawn again. */
export function renderReason(options: ReasonOptions): HTMLElement {
  const { id, action, danger } = options
  const draft = () => savedText(options.draft)
  const field = el('textarea', {
    class: 'field',
    id: `${id}-words`,
    rows: 2,
    maxlength: 2000,
    placeholder: options.placeholder,
    oninput: () => draft().write(field.value),
  })
  const summary = el(
    'summary',
    {
      class: ['button button-quiet', options.small && 'button-small'],
      'data-action': action,
      onclick: flip,
    },
    options.open,
  )
  const details = el(
    'details',
    { class: 'card-reject', id, onkeydown: onKey },
    summary,
    el(
      'form',
      { class: 'card-reason', onsubmit: submit },
      el('label', { class: 'field-label', for: `${id}-words` }, options.label),
      field,
      el(
        'div',
        { class: 'row' },
        el(
          'button',
          { class: ['button', danger ? 'button-danger' : 'button-primary'], type: 'submit' },
          options.send,
        ),
        el('button', { class: 'button button-quiet', type: 'button', onclick: close }, 'Cancel'),
      ),
    ),
  )
  return details

  // Opened at once, not after the click event: the keys pressed next belong to the field.
  function flip(event: Event): void {
    event.preventDefault()
    details.open = !details.open
    if (!details.open) return
    if (field.value === '') field.value = draft().read()
    field.focus()
  }

  function onKey(event: KeyboardEvent): void {
    if (event.key === 'Enter' && (event.ctrlKey || event.metaKey)) submit(event)
    if (event.key !== 'Escape' || !details.open) return
    event.stopPropagation()
    close()
  }

  function close(): void {
    details.open = false
    summary.focus()
  }

  async function submit(event: Event): Promise<void> {
    event.preventDefault()
    await options.onSend(field.value.trim())
  }
}
