import { el, type Props } from '../../dom.ts'
import { dayText } from '../../time.ts'

type DateField = {
  id: string
  label: string
  /** YYYY-MM-DD; empty for none. */
  value: string
  now: Date
  /** Further attributes of the button. */
  props?: Props
}

/** A button whose `value` is a day, or empty. It opens a calendar, and emits `change` as a field does. */
export function dateField({ id, label, value, now, props }: DateField): HTMLButtonElement {
  const button = el('button', {
    class: 'field date-field',
    ...props,
    type: 'button',
    id,
    'aria-haspopup': 'dialog',
    async onclick() {
      const { openCalendar } = await import('./calendar.ts')
      openCalendar(button, { label, value: button.value || null, now, choose })
    },
  })
  show(value)
  return button

  function choose(day: string | null): void {
    if ((day ?? '') === button.value) return
    show(day ?? '')
    button.dispatchEvent(new Event('change', { bubbles: true }))
  }

  function show(day: string): void {
    const text = day && dayText(day, now)
    button.setAttribute('value', day)
    button.setAttribute('aria-label', `${label}: ${text || 'none'}`)
    button.replaceChildren(text || 'None')
  }
}
