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
export const valueRow = (label: Child, ...value: Child[]): HTMLElement => hintedRow(label, null, ...value)

/** The same with a hint below the label. */
export const hintedRow = (label: Child, hint: Child, ...value: Child[]): HTMLElement =>
  el(
    'div',
    { class: 'setting' },
    el('div', { class: 'setting-name' }, nameOf(label, hint)),
    el('div', { class: 'setting-value' }, value),
  )

type FormRow = {
  /** Of the row, which stays open while the view is drawn again. */
  id: string
  label: Child
  hint?: Child
  /** What is set now. */
  value?: Child
  /** Of the button that opens the form. */
  verb: string
  /** The thing that the form is of, where more than one is in view. */
  name?: string
  open?: boolean
  ontoggle?: (event: Event) => void
}

/** A row whose form opens below it. */
export const formRow = (
  { id, label, hint, value, verb, name, open = false, ontoggle }: FormRow,
  form: HTMLElement,
): HTMLDetailsElement =>
  el(
    'details',
    { class: 'setting-form', id, open, ontoggle },
    el(
      'summary',
      { class: 'setting' },
      el('span', { class: 'setting-name' }, nameOf(label, hint)),
      el(
        'span',
        { class: 'setting-value' },
        el('span', { class: 'grow' }, value),
        el(
          'span',
          { class: 'button button-small' },
          verb,
          name !== undefined && el('span', { class: 'visually-hidden' }, ` ${name}`),
        ),
      ),
    ),
    form,
  )

type Thing = { id: string; name: Child; before?: Child; after?: Child }

/** One thing of several: its name, what stands beside it, and its rows. `id` is of the name. */
export const renderThing = ({ id, name, before, after }: Thing, ...rows: Child[]): HTMLElement =>
  el(
    'article',
    { class: 'thing', 'aria-labelledby': id },
    el('header', { class: 'thing-head' }, before, el('h3', { id }, name), after),
    rows,
  )

/** Marks a value that the configuration of the server decides; `variables` are in its tooltip. */
export const serverMark = (variables: string): HTMLElement =>
  el('span', { class: 'badge', title: variables }, 'Set by the server')

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
