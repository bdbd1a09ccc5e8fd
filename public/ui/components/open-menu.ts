import { type MenuOptions, place, renderList } from './menu.ts'

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
