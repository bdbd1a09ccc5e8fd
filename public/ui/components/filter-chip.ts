import { el } from '../dom.ts'
import { icon } from './icon.ts'

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
    required,
    choose,
    async open(face, set) {
      const { openMenu } = await import('./menu.ts')
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

export type Chip = {
  id: string
  label: string
  /** What is chosen, in words; `null` for nothing. */
  chosen: string | null
  /** The role of what it opens. */
  opens: 'menu' | 'dialog'
  open: (face: HTMLElement, choose: (value: string | null) => void) => void
  /** Something is always chosen: it cannot be cleared. */
  required?: boolean
  /** `null`: nothing. The focus returns to the chip once it has resolved. */
  choose: (value: string | null) => unknown
}

/** A small button that says what is chosen and opens a choice, with one beside it that clears. */
export function chip({ id, label, chosen, opens, open, required = false, choose }: Chip): HTMLElement {
  const isSet = chosen !== null && !required
  const set = async (value: string | null) => {
    await choose(value)
    document.getElementById(id)?.focus()
  }
  return el(
    'span',
    { class: ['chip', isSet && 'chip-set'] },
    el(
      'button',
      {
        class: 'chip-face',
        type: 'button',
        id,
        'aria-haspopup': opens,
        onclick: ({ currentTarget }: Event) => open(currentTarget as HTMLElement, set),
      },
      el('span', {}, chosen === null ? label : `${label}: ${chosen}`),
      isSet ? null : icon('chevronDown'),
    ),
    isSet &&
      el(
        'button',
        {
          class: 'chip-clear',
          type: 'button',
          title: 'Remove filter',
          'aria-label': `Remove filter ${label}`,
          onclick: () => void set(null),
        },
        icon('close'),
      ),
  )
}
