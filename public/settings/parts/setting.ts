import { type Child, el } from '../../ui/dom.ts'

type Field = HTMLInputElement | HTMLSelectElement | HTMLTextAreaElement

/** A row: what the field is, with a hint below it, and the field, which begins where those of the other rows begin. */
export const fieldRow = (label: Child, field: Field, hint?: Child, ...more: Child[]): HTMLElement =>
  el(
    'div',
    { class: 'setting' },
    el(
      'label',
      { class: 'setting-name', for: field.id },
      el('span', { class: 'field-label' }, label),
      hint && el('span', { class: 'dim small' }, ' ', hint),
    ),
    el('div', { class: 'setting-value' }, field, more),
  )

/** A row whose value is on or off. */
export const switchRow = (label: string, props: Record<string, unknown> & { id: string }, hint?: Child) =>
  fieldRow(label, el('input', { class: 'switch', type: 'checkbox', ...props }), hint)

/** A row that shows a value, or what can be done about it. */
export const valueRow = (label: Child, ...value: Child[]): HTMLElement =>
  el(
    'div',
    { class: 'setting' },
    el('div', { class: 'setting-name' }, el('span', { class: 'field-label' }, label)),
    el('div', { class: 'setting-value' }, value),
  )

/** A row of a group of choices. */
export const groupRow = (legend: string, choices: Child, hint?: Child): HTMLElement =>
  el(
    'fieldset',
    { class: 'setting' },
    el('legend', { class: 'visually-hidden' }, legend),
    el(
      'div',
      { class: 'setting-name' },
      el('span', { class: 'field-label', 'aria-hidden': 'true' }, legend),
      hint && el('span', { class: 'dim small' }, ' ', hint),
    ),
    el('div', { class: 'setting-value' }, choices),
  )
