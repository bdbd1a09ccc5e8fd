import type { App, AppContext } from '../app/app.ts'
import { icon } from '../ui/components/icon.ts'
import { spaceMark } from '../ui/components/marks.ts'
import { el } from '../ui/dom.ts'
import { spaceHref } from '../ui/words/addresses.ts'

/** The name of the Space, and the menu of all of them. */
export function renderSpaceSwitcher({ app, signal }: AppContext): HTMLElement {
  const slot = el('div', { class: 'switcher' })
  const draw = () => slot.replaceChildren(...renderMenu(app))
  draw()
  app.state.watch(({ spaces }) => spaces, draw, signal)
  return slot
}

function renderMenu(app: App): HTMLElement[] {
  const { space, spaces } = app.state.get()
  return [
    el(
      'button',
      { class: 'switcher-button', type: 'button', popovertarget: 'spaces-menu', title: 'Switch Space' },
      spaceMark(space),
      el('span', { class: 'nav-label' }, space?.name ?? 'Void'),
      icon('chevronDown'),
    ),
    el(
      'div',
      {
        class: 'menu',
        id: 'spaces-menu',
        popover: 'auto',
        onclick: (event: MouseEvent) =>
          event.currentTarget instanceof HTMLElement && event.currentTarget.hidePopover(),
      },
      spaces.map((each) =>
        el(
          'a',
          {
            class: 'menu-item',
            href: spaceHref(each.slug),
            'aria-current': each.id === space?.id ? 'true' : null,
          },
          spaceMark(each),
          each.name,
        ),
      ),
      el('a', { class: 'menu-item menu-item-last', href: '/spaces' }, icon('grid'), 'All Spaces'),
    ),
  ]
}
