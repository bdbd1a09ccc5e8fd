import { type Child, el } from '../../ui/dom.ts'

type Field = HTMLInputElement | HTMLSelectElement | HTMLTextAreaElement

/** A row: what the field is, with a hint below it, and the field, which begins where those of the other rows begin. */
export const fieldRow = (label: Child, field: Field, hint?: Child, ...more: Child[]): HTMLElement =>
  el(
    'div',
    { class: 'setting' },
    el('label', { class: 'setting-name', for: field.id }, nameOf(label, hint)),
    el('div', { class: 'setting-value' }, field, more),
  )

export const switchBox = (props: Record<string, unknown> & { id: string }): HTMLInputElement =>
  el('input', { class: 'switch', type: 'checkbox', ...props })

/** A row whose value is on or off. All of it is the label of the switch: a finger needs more room than that has. */
export const switchRow = (label: string, box: HTMLInputElement, hint?: Child): HTMLElement =>
  el(
    'label',
    { class: 'setting' },
    el('span', { class: 'setting-name' }, nameOf(label, hint)),
    el('span', { class: 'setting-value' }, box),
  )

const nameOf = (label: Child, hint?: Child): Child => [
  el('span', { class: 'field-label' }, label),
  hint && el('span', { class: 'dim small' }, ' ', hint),
]

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
