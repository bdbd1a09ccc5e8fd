import { type Child, el } from '../dom.ts'
import { type IconName, icon } from './icon.ts'

export type MenuItem = {
  label: string
  /** A drawing before the label. */
  icon?: IconName | HTMLElement | SVGSVGElement
  /** Of items one of which is chosen: whether it is this one. */
  checked?: boolean
  run: () => void
  /** The key that does the same. */
  key?: string
  danger?: boolean
}

type MenuOptions = {
  /** The accessible name. */
  label: string
  /** What the button shows; left out: three dots. */
  face?: Child
  /** Unique in the page. */
  id: string
  items: readonly MenuItem[]
  /** Not in the tab order, where another key opens it. */
  skipTab?: boolean
}

/** A button that opens a menu. Arrow keys and first letters move in it; Escape returns the focus to the button. */
export function renderMenu({ label, id, items, face, skipTab }: MenuOptions): HTMLElement {
  const list = renderList({ label, id, items }, ({ newState }) => {
    if (newState === 'open') place(list, button, face !== undefined)
  })
  const button = el(
    'button',
    {
      class: face ? 'menu-face' : 'icon-button menu-button',
      type: 'button',
      title: label,
      'aria-label': label,
      'aria-haspopup': 'menu',
      popovertarget: id,
      tabindex: skipTab ? -1 : null,
    },
    face ?? icon('more'),
  )
  return el('span', { class: 'menu-place' }, button, list)
}

/** The list of a menu, for a button of its own. */
function renderList(
  { label, id, items }: Pick<MenuOptions, 'label' | 'id' | 'items'>,
  ontoggle: (event: ToggleEvent) => void,
): HTMLElement {
  const list: HTMLElement = el(
    'div',
    { class: 'menu', id, popover: 'auto', role: 'menu', 'aria-label': label, onkeydown: walk, ontoggle },
    items.map((item) => renderItem(item, () => list.hidePopover())),
  )
  return list
}

function renderItem({ label, icon: drawing, checked, key, danger, run }: MenuItem, hide: () => void) {
  return el(
    'button',
    {
      class: ['menu-item', danger && 'menu-item-danger'],
      type: 'button',
      role: checked === undefined ? 'menuitem' : 'menuitemradio',
      'aria-checked': checked,
      tabindex: -1,
      onclick: () => {
        hide()
        run()
      },
    },
    typeof drawing === 'string' ? icon(drawing) : drawing,
    el('span', { class: 'grow' }, label),
    checked && icon('check'),
    key && el('kbd', {}, key),
  )
}

/** Below the button, or above it where there is no room; within the window either way. */
export function place(list: HTMLElement, button: HTMLElement, atStart: boolean): void {
  const at = button.getBoundingClientRect()
  const { offsetWidth: width, offsetHeight: height } = list
  const below = at.bottom + 4 + height <= innerHeight
  list.style.setProperty(
    'left',
    `${Math.max(8, Math.min(atStart ? at.left : at.right - width, innerWidth - width - 8))}px`,
  )
  list.style.setProperty('top', `${below ? at.bottom + 4 : Math.max(8, at.top - height - 4)}px`)
  list.querySelector<HTMLElement>('[aria-checked="true"], [role^="menuitem"]')?.focus()
}

function walk(event: KeyboardEvent): void {
  const list = event.currentTarget
  if (!(list instanceof HTMLElement)) return
  // It closes the menu, and nothing around it.
  if (event.key === 'Escape') event.stopPropagation()
  const items = [...list.querySelectorAll<HTMLElement>('[role^="menuitem"]')]
  const at = items.findIndex((item) => item.matches(':focus'))
  if (event.key.length === 1 && event.key !== ' ' && !event.ctrlKey && !event.metaKey && !event.altKey) {
    const next = [...items.slice(at + 1), ...items].find((item) => startsWith(item, event.key))
    if (next) event.stopPropagation()
    next?.focus()
    return
  }
  const to = { ArrowDown: at + 1, ArrowUp: at - 1, Home: 0, End: items.length - 1 }[event.key]
  if (to === undefined) return
  event.preventDefault()
  items.at(to % items.length)?.focus()
}

const startsWith = (item: HTMLElement, letter: string): boolean =>
  item.textContent.trim().toLowerCase().startsWith(letter.toLowerCase())

/** Opens a menu at a button that has none: one of many alike. It is gone when it closes. */
export function openMenu(
  button: HTMLElement,
  { label, items, atStart = false }: Pick<MenuOptions, 'label' | 'items'> & { atStart?: boolean },
): void {
  const list = renderList({ label, id: 'open-menu', items }, ({ newState }) => {
    if (newState === 'open') place(list, button, atStart)
    else list.remove()
  })
  // Not beside the button, which may be drawn again while the menu is open; a dialog makes inert what is outside of it.
  const root = button.closest('dialog, #view') ?? document.body
  root.append(list)
  list.showPopover()
}
