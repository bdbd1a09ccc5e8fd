import type { App } from '../app/app.ts'
import { el } from '../dom.ts'

export type FilterOption = readonly [value: string, label: string]

export type FilterField = {
  id: string
  label: string
  /** Besides “Any”. */
  options: readonly FilterOption[]
  /** `null` for any. */
  value: string | null
  /** The address of the list by that value. */
  href(value: string | null): string
}

/** A choice that filters a list; the focus stays with it. */
export function filterField(
  { navigate }: Pick<App, 'navigate'>,
  { id, label, options, value, href }: FilterField,
): HTMLElement {
  return el(
    'label',
    { class: 'filter-field' },
    el('span', {}, label),
    el(
      'select',
      {
        class: 'field',
        id,
        onchange: async (event: Event) => {
          await navigate(href((event.currentTarget as HTMLSelectElement).value || null))
          document.getElementById(id)?.focus()
        },
      },
      [['', 'Any'] as const, ...options].map(([each, text]) =>
        el('option', { value: each, selected: (value ?? '') === each }, text),
      ),
    ),
  )
}
