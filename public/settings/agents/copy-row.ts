import type { App } from '../../app/app.ts'
import { icon } from '../../ui/components/icon.ts'
import { el } from '../../ui/dom.ts'
import type { Setup } from './client-setups.ts'

/** A text that can only be copied, with a button that does, and a link where there is one. */
export function copyRow(
  app: App,
  { id, label, value, link, note }: Setup,
): { row: HTMLElement; copy: HTMLElement } {
  const field = el('input', { class: 'field mono', id, readonly: true, value, onfocus: () => field.select() })
  const copy = el(
    'button',
    { class: 'button', type: 'button', 'aria-label': `Copy: ${label}`, onclick: copyValue },
    icon('copy'),
    'Copy',
  )
  const row = el(
    'div',
    { class: 'token-copy' },
    el('label', { class: 'field-label', for: id }, label),
    el('div', { class: 'row' }, el('div', { class: 'grow' }, field), copy),
    link &&
      el(
        'div',
        { class: 'row' },
        el('a', { class: 'button button-small', href: link.href }, icon('external'), link.text),
      ),
    note && el('p', { class: 'dim small' }, note),
  )
  return { row, copy }

  // Over plain http there is no clipboard: the text is selected instead.
  async function copyValue(): Promise<void> {
    try {
      await navigator.clipboard.writeText(value)
      copy.replaceChildren(icon('check'), 'Copied')
      app.announce('Copied')
    } catch {
      field.focus()
      app.announce('Press Ctrl+C to copy the selected text.')
    }
  }
}
