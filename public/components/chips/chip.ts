import { el } from '../../dom.ts'
import { icon } from '../icon.ts'

export type Chip = {
  id: string
  label: string
  /** What is chosen, in words; `null` for nothing. */
  chosen: string | null
  /** The role of what it opens. */
  opens: 'menu' | 'dialog'
  open: (face: HTMLElement) => void
  /** Left out where something is always chosen. */
  clear?: () => void
}

/** A small button that says what is chosen and opens a choice, with one beside it that clears. */
export function chip({ id, label, chosen, opens, open, clear }: Chip): HTMLElement {
  const isSet = chosen !== null && clear !== undefined
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
        onclick: ({ currentTarget }: Event) => open(currentTarget as HTMLElement),
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
          onclick: clear,
        },
        icon('close'),
      ),
  )
}
