import { dateField } from '../../ui/components/date-field.ts'
import { externalLink } from '../../ui/components/external-link.ts'
import { el } from '../../ui/dom.ts'
import { exactTime, ownerZone } from '../../ui/time.ts'
import type { DetailRow, FieldSpec, Saver } from './detail-data.ts'

/** The fields with their names, each as the control that changes it. */
export function renderFields(fields: readonly FieldSpec[], row: DetailRow, now: Date): HTMLElement {
  return el(
    'div',
    { class: 'detail-fields' },
    fields.map((field) =>
      el(
        'div',
        { class: 'detail-field' },
        el('label', { class: 'detail-label', for: `field-${field.name}` }, field.label),
        control(field, textOf(row, field.name), now),
      ),
    ),
  )
}

function control(field: FieldSpec, value: string, now: Date): (HTMLElement | null)[] {
  const shared = { class: 'detail-control', id: `field-${field.name}`, 'data-field': field.name }
  if (field.control === 'choice') {
    const options = field.options.map(({ value: id, label }) =>
      el('option', { value: id, selected: id === value }, label),
    )
    return [el('select', shared, options)]
  }
  if (field.control === 'day') {
    const props = { class: 'detail-control date-field', 'data-field': field.name }
    return [dateField({ id: shared.id, label: field.label, value, now, props })]
  }
  if (field.control === 'moment') {
    const props = { ...shared, 'data-moment': '', maxlength: 60, autocomplete: 'off' }
    return [el('input', { ...props, type: 'text', placeholder: 'None', value: momentText(value) })]
  }
  const type = { address: 'url', line: 'text' }[field.control]
  const required = field.control === 'line' && field.required
  return [
    el('input', { ...shared, maxlength: 2000, placeholder: 'None', type, value, required }),
    field.control === 'address' && value ? externalLink(value) : null,
  ]
}

type FieldsContext<Row extends DetailRow> = {
  row: () => Row
  saver: Saver<Row>
  now: () => Date
  signal: AbortSignal
}

/** Saves a field when it is left or chosen, or with Enter. Escape restores the saved value. */
export function mountFields<Row extends DetailRow>(
  root: HTMLElement,
  { row, saver, now, signal }: FieldsContext<Row>,
): void {
  const place = root.querySelector('.detail-fields')
  // The server painted them in its own time zone.
  for (const field of place?.querySelectorAll<HTMLInputElement>('[data-moment]') ?? [])
    field.value = momentText(textOf(row(), field.dataset.field ?? ''))
  place?.addEventListener(
    'change',
    ({ target }) => {
      if (!isControl(target)) return
      if (target.dataset.moment !== undefined) return void saveMoment(target, now())
      if (!target.reportValidity()) return
      const name = target.dataset.field ?? ''
      const value = target.value.trim()
      if (value === textOf(row(), name)) return
      saver.save({ [name]: value === '' ? null : value } as Partial<Row>)
    },
    { signal },
  )
  place?.addEventListener(
    'keydown',
    (event) => {
      const { target } = event
      if (!(event instanceof KeyboardEvent) || !(target instanceof HTMLInputElement)) return
      if (event.key === 'Escape') {
        const saved = textOf(row(), target.dataset.field ?? '')
        target.value = target.dataset.moment === undefined ? saved : momentText(saved)
        target.setCustomValidity('')
      }
      if (event.key !== 'Enter') return
      // Leaving it is what saves it.
      target.blur()
      target.focus()
    },
    { signal },
  )
  place?.addEventListener(
    'input',
    ({ target }) => target instanceof HTMLInputElement && target.setCustomValidity(''),
    { signal },
  )

  /** What reads days is loaded with the first one that is written. */
  async function saveMoment(field: Control, now: Date): Promise<void> {
    const name = field.dataset.field ?? ''
    const text = field.value.trim()
    if (text === momentText(textOf(row(), name))) return
    const { parseMoment } = await import('../../../lib/core/text/dates/extract-day.ts')
    const moment = text === '' ? null : parseMoment(text, now, ownerZone())
    const isRead = text === '' || moment !== null
    field.setCustomValidity(isRead ? '' : 'Not a time. Try “tomorrow at 9am” or “3 Dec, 14:00”.')
    if (field.reportValidity())
      saver.save({ [name]: moment?.toISOString() ?? null } as unknown as Partial<Row>)
  }
}

const momentText = (iso: string): string => iso && exactTime(iso)

type Control = HTMLInputElement | HTMLSelectElement | HTMLButtonElement

const isControl = (target: EventTarget | null): target is Control =>
  [HTMLInputElement, HTMLSelectElement, HTMLButtonElement].some((type) => target instanceof type) &&
  Boolean((target as Control).dataset.field)

function textOf(row: DetailRow, name: string): string {
  const value: unknown = Reflect.get(row, name)
  return typeof value === 'string' ? value : ''
}
