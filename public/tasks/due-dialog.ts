import { quoteShown } from '../../lib/text/quote-name.ts'
import { showDialog } from '../components/dialog.ts'
import { el } from '../dom.ts'
import { addDays, localDay } from '../time.ts'

/** Asks for a due date; `onChoose` gets the day, or null for none. */
export function showDueDialog(
  { title, due_on, now, onClose }: { title: string; due_on: string | null; now: Date; onClose: () => void },
  onChoose: (due: string | null) => void,
): void {
  const today = localDay(now)
  const field = el('input', {
    class: 'field',
    id: 'due-day',
    type: 'date',
    value: due_on ?? '',
    max: '9999-12-31',
  })
  const quick = [
    ['Today', today],
    ['Tomorrow', addDays(today, 1)],
    ['In a week', addDays(today, 7)],
    ['No date', null],
  ] as const
  const dialog = showDialog(
    { title: `Due date of ${quoteShown(title)}`, name: 'due', onClose },
    el(
      'div',
      { class: 'row' },
      quick.map(([label, day]) =>
        el('button', { class: 'button', type: 'button', onclick: () => choose(day) }, label),
      ),
    ),
    el(
      'form',
      { class: 'row', onsubmit: submit },
      el('label', { class: 'field-label', for: 'due-day' }, 'Other date'),
      el('div', { class: 'grow' }, field),
      el('button', { class: 'button button-primary', type: 'submit' }, 'Set'),
    ),
  )

  function submit(event: SubmitEvent): void {
    event.preventDefault()
    choose(field.value || null)
  }

  function choose(day: string | null): void {
    dialog.close()
    onChoose(day)
  }
}
