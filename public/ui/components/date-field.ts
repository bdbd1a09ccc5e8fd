import { el, type Props } from '../dom.ts'
import { dayText } from '../time.ts'

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
    // It may have been drawn anew while the calendar was open.
    const field = button.isConnected ? button : document.getElementById(id)
    if (!(field instanceof HTMLButtonElement) || (day ?? '') === field.value) return
    show(day ?? '', field)
    field.dispatchEvent(new Event('change', { bubbles: true }))
  }

  function show(day: string, field = button): void {
    const text = day && dayText(day, now)
    field.setAttribute('value', day)
    field.setAttribute('aria-label', `${label}: ${text || 'none'}`)
    field.replaceChildren(text || 'None')
  }
}
