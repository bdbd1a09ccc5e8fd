import { el } from '../../dom.ts'
import { icon } from '../icon.ts'

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
