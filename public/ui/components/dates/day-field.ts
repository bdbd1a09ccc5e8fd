import { parseDay } from '../../../../lib/text/dates/extract-day.ts'
import { el } from '../../dom.ts'
import { dayWords } from './day-words.ts'

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
export function createDayField({ now, which, show, pick, onDown }: DayField) {
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
