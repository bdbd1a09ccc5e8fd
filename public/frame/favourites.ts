import type { Space } from '../../lib/contract/entities.ts'
import { moveFavourite, toggleFavourite } from '../app/actions/favourites.ts'
import type { AppContext } from '../app/app.ts'
import { icon } from '../ui/components/icon.ts'
import { el } from '../ui/dom.ts'
import { rerender } from '../ui/rerender.ts'
import { entityHref } from '../ui/words/addresses.ts'

/** The pages of a Space that are kept at hand; hidden while there are none. Reordered by dragging, or with Alt and arrows. */
export function renderFavourites({ app, signal }: AppContext, space: Space): HTMLElement {
  const { state } = app
  const list = el('ul', { class: 'favourite-list' }, renderRows())
  const section = el(
    'section',
    { class: 'favourites', 'aria-labelledby': 'favourites-title', hidden: isEmpty() },
    el('h2', { class: 'nav-heading', id: 'favourites-title' }, 'Favourites'),
    list,
  )
  state.watch(({ favourites }) => favourites, draw, signal)
  state.watch(({ path }) => path, draw, signal)

  const onFocused = (run: (at: number) => void) => () => {
    const id = document.activeElement?.closest<HTMLElement>('[data-favourite]')?.dataset.favourite
    const at = state.get().favourites.findIndex((page) => page.id === id)
    if (at !== -1) run(at)
  }
  const move = (by: number) => onFocused((at) => moveFavourite(app, state.get().favourites[at]!, at + by))
  app.keys.add(
    [
      { key: 'Alt+ArrowUp', label: 'Move up', run: move(-1) },
      { key: 'Alt+ArrowDown', label: 'Move down', run: move(1) },
      {
        key: 'Delete',
        label: 'Remove from favourites',
        run: onFocused((at) => toggleFavourite(app, space, state.get().favourites[at]!)),
      },
    ].map((binding) => ({ ...binding, group: 'Favourites', within: list })),
    signal,
  )
  return section

  function draw(): void {
    section.hidden = isEmpty()
    rerender(list, renderRows())
  }

  function isEmpty(): boolean {
    return state.get().favourites.length === 0
  }

  function renderRows(): HTMLElement[] {
    const { favourites, path } = state.get()
    return favourites.map(({ id, title }) => {
      const href = entityHref(space.slug, 'page', id)!
      const current = path === href ? 'page' : null
      return el(
        'li',
        { class: 'tree-row', 'data-favourite': id },
        el('span', { class: 'tree-leaf' }, icon('star')),
        el('a', { class: 'tree-link', id: `favourite-${id}`, href, title, 'aria-current': current }, title),
      )
    })
  }
}
