// Asks for a day: typed in words (“next monday”, “3 Dec”), by a few buttons, or in the grid of a month.

import { el } from '../../dom.ts'
import { addDays, localDay } from '../../time.ts'
import { place } from '../menu.ts'
import { createDayField } from './day-field.ts'
import { createMonth } from './month.ts'

type Calendar = {
  /** The accessible name. */
  label: string
  /** YYYY-MM-DD; `null` for none. */
  value: string | null
  now: Date
  /** Of days that have been: words mean the last such day. */
  isPast?: boolean
  choose: (day: string | null) => void
  onClose?: () => void
}

const quickDays = {
  next: { Today: 0, Tomorrow: 1, 'In a week': 7 },
  past: { Today: 0, 'A week ago': -7, '30 days ago': -30 },
}

/** Opens at a button, and is gone when it closes; Escape returns the focus to where it was. */
export function openCalendar(button: HTMLElement, options: Calendar): void {
  const { label, value, now, isPast = false, choose, onClose } = options
  const which = isPast ? 'past' : 'next'
  const today = localDay(now)
  const month = createMonth({ start: value ?? today, chosen: value, today, pick })
  const typed = createDayField({ now, which, pick, show: month.show, onDown: month.focus })
  const panel = el(
    'div',
    {
      class: 'menu calendar',
      popover: 'auto',
      role: 'dialog',
      'aria-label': label,
      onkeydown: closeOnEscape,
      ontoggle: ({ newState }: ToggleEvent) => (newState === 'open' ? show() : close()),
    },
    typed.element,
    el(
      'div',
      { class: 'calendar-quick' },
      Object.entries(quickDays[which]).map(([text, days]) => quickButton(text, addDays(today, days))),
      value !== null && quickButton('Clear', null),
    ),
    month.element,
  )
  // A dialog makes inert what is outside of it.
  const root = button.closest('dialog') ?? document.body
  root.append(panel)
  panel.showPopover()

  function show(): void {
    place(panel, button, true)
    typed.focus()
  }

  function close(): void {
    panel.remove()
    onClose?.()
  }

  function pick(day: string | null): void {
    panel.hidePopover()
    choose(day)
  }

  function quickButton(text: string, day: string | null): HTMLElement {
    return el('button', { class: 'button button-small', type: 'button', onclick: () => pick(day) }, text)
  }

  // It closes the calendar, and nothing around it; no key reaches what is below.
  function closeOnEscape(event: KeyboardEvent): void {
    event.stopPropagation()
    if (event.key !== 'Escape') return
    event.preventDefault()
    panel.hidePopover()
  }
}
