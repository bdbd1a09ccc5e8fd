import { parseDay } from '../../../lib/core/text/dates/extract-day.ts'
import { el } from '../dom.ts'
import { addDays, localDay } from '../time.ts'
import { place } from './menu.ts'
import { createMonth, dayWords } from './month.ts'

// Asks for a day: typed in words (“next monday”, “3 Dec”), by a few buttons, or in the grid of a month.

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

type DayField = {
  now: Date
  which: 'next' | 'past'
  /** Called with what is understood while it is typed, as YYYY-MM-DD. */
  show: (day: string) => void
  pick: (day: string) => void
  /** The arrow that leaves the field. */
  onDown: () => void
}

const examples = {
  next: { placeholder: 'next monday, 3 Dec…', hint: 'Not a date. Try “next monday” or “3 Dec”.' },
  past: { placeholder: 'last monday, 3 Nov…', hint: 'Not a date. Try “last monday” or “3 Nov”.' },
}

/** A field for a day in words. Says below what it understands; Enter picks it. */
function createDayField({ now, which, show, pick, onDown }: DayField) {
  const field = el('input', {
    class: 'field',
    id: 'day-words',
    type: 'text',
    maxlength: 60,
    autocomplete: 'off',
    placeholder: examples[which].placeholder,
    'aria-label': 'Date in words',
    'aria-describedby': 'day-hint',
    enterkeyhint: 'done',
    oninput: explain,
    onkeydown: leave,
  })
  const hint = el('p', { class: 'calendar-hint dim small', id: 'day-hint', 'aria-live': 'polite' })
  const read = () => parseDay(field.value, now, which)
  return { element: el('form', { onsubmit: submit }, field, hint), focus: () => field.focus() }

  function explain(): void {
    const day = read()
    field.removeAttribute('aria-invalid')
    hint.replaceChildren(day ? dayWords(day) : '')
    if (day) show(day)
  }

  function submit(event: SubmitEvent): void {
    event.preventDefault()
    if (field.value.trim() === '') return
    const day = read()
    if (day) pick(day)
    else {
      field.setAttribute('aria-invalid', 'true')
      hint.replaceChildren(examples[which].hint)
    }
  }

  function leave(event: KeyboardEvent): void {
    if (event.key !== 'ArrowDown') return
    event.preventDefault()
    onDown()
  }
}
