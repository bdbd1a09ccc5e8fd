import { el } from '../dom.ts'
import { type IconName, icon } from './icon.ts'

export type MenuItem = {
  label: string
  icon: IconName
  run: () => void
  /** The key that does the same. */
  key?: string
  danger?: boolean
}

export type MenuOptions = {
  /** The accessible name; the button shows three dots. */
  label: string
  /** Unique in the page. */
  id: string
  items: readonly MenuItem[]
  /** Left out of the order of Tab, where another key opens it. */
  skipTab?: boolean
}

/** A button with three dots that opens a menu. Arrow keys move in it; Escape returns the focus to the button. */
export function renderMenu({ label, id, items, skipTab }: MenuOptions): HTMLElement {
  const list = el(
    'div',
    {
      class: 'menu',
      id,
      popover: 'auto',
      role: 'menu',
      'aria-label': label,
      onkeydown: walk,
      ontoggle: open,
    },
    items.map((item) =>
      el(
        'button',
        {
          class: ['menu-item', item.danger && 'menu-item-danger'],
          type: 'button',
          role: 'menuitem',
          tabindex: -1,
          onclick: () => {
            list.hidePopover()
            item.run()
          },
        },
        icon(item.icon),
        el('span', { class: 'grow' }, item.label),
        item.key && el('kbd', {}, item.key),
      ),
    ),
  )
  const button = el(
    'button',
    {
      class: 'icon-button menu-button',
      type: 'button',
      title: label,
      'aria-label': label,
      'aria-haspopup': 'menu',
      popovertarget: id,
      tabindex: skipTab ? -1 : null,
    },
    icon('more'),
  )
  return el('span', { class: 'menu-place' }, button, list)

  function open(event: ToggleEvent): void {
    if (event.newState === 'open') place(list, button)
  }
}

/** Below the button, or above it where there is no room; within the window either way. */
function place(list: HTMLElement, button: HTMLElement): void {
  const at = button.getBoundingClientRect()
  const { offsetWidth: width, offsetHeight: height } = list
  const below = at.bottom + 4 + height <= innerHeight
  list.style.setProperty('left', `${Math.max(8, Math.min(at.right - width, innerWidth - width - 8))}px`)
  list.style.setProperty('top', `${below ? at.bottom + 4 : Math.max(8, at.top - height - 4)}px`)
  list.querySelector<HTMLElement>('[role="menuitem"]')?.focus()
}

function walk(event: KeyboardEvent): void {
  const list = event.currentTarget
  if (!(list instanceof HTMLElement)) return
  const items = [...list.querySelectorAll<HTMLElement>('[role="menuitem"]')]
  const at = items.findIndex((item) => item.matches(':focus'))
  const to = { ArrowDown: at + 1, ArrowUp: at - 1, Home: 0, End: items.length - 1 }[event.key]
  if (to === undefined) return
  event.preventDefault()
  items.at(to % items.length)?.focus()
}
