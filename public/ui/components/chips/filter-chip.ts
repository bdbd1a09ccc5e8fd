import { el } from '../../dom.ts'
import { chip } from './chip.ts'

export type FilterOption = readonly [value: string, label: string]

export type FilterChip = {
  id: string
  label: string
  /** Besides none. */
  options: readonly FilterOption[]
  /** `null` for none. */
  value: string | null
  /** There is no “none”: an order, for example. */
  required?: boolean
  choose: (value: string | null) => unknown
}

/** A choice that filters or sorts a list. The focus stays with it. */
export function filterChip({ id, label, options, value, required = false, choose }: FilterChip): HTMLElement {
  return chip({
    id,
    label,
    chosen: options.find(([each]) => each === value)?.[1] ?? null,
    opens: 'menu',
    ...{ required, choose },
    async open(face, set) {
      const { openMenu } = await import('../open-menu.ts')
      const none = required ? [] : [['', 'Any'] as const]
      openMenu(face, {
        label,
        atStart: true,
        items: [...none, ...options].map(([each, text]) => ({
          label: text,
          checked: each === (value ?? ''),
          run: () => set(each || null),
        })),
      })
    },
  })
}

/** A row of chips. */
export const filterBar = (...chips: Parameters<typeof el>[2][]): HTMLElement =>
  el('div', { class: 'filter-bar', role: 'group', 'aria-label': 'Filters' }, chips)
