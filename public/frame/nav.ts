import type { Space } from '../../lib/contract/entities.ts'
import { moveFavourite, toggleFavourite } from '../app/actions/favourites.ts'
import { startSpace } from '../app/actions/new-space.ts'
import type { App, AppContext } from '../app/app.ts'
import { type IconName, icon } from '../ui/components/icon.ts'
import { keyCaps } from '../ui/components/key-caps.ts'
import { spaceMark } from '../ui/components/marks.ts'
import { el } from '../ui/dom.ts'
import { rerender } from '../ui/rerender.ts'
import { entityHref, kindNames, libraryKinds, spaceHref } from '../ui/words/addresses.ts'
import { inboxCount, navLink } from './nav-link.ts'
import { renderTree } from './page-tree.ts'

/** For a part that follows the state: `signal` ends it when it is drawn again. */
type Living = { app: App; signal: AbortSignal }

/** The left column: Spaces, Inbox, and the parts of the Space. */
export function renderNav(app: App, signal: AbortSignal): HTMLElement {
  const { space } = app.state.get()
  return el(
    'nav',
    { class: 'nav', 'aria-label': 'Main' },
    el('div', { class: 'nav-top' }, renderSpaceSwitcher({ app, signal }), closeButton(app)),
    el(
      'div',
      { class: 'nav-group' },
      searchButton(app),
      navLink({ app, signal }, '/inbox', 'inbox', 'Inbox', inboxCount({ app, signal })),
      navLink({ app, signal }, '/today', 'today', 'Today'),
      pagesButton(app),
    ),
    space && renderFavourites({ app, signal }, space),
    space && renderTree({ app, signal }, space),
    space && renderKinds({ app, signal }, space),
    el('div', { class: 'nav-group' }, navLink({ app, signal }, '/settings', 'settings', 'Settings')),
  )
}

/** The kinds that the Space holds something of; drawn again when one is added. */
function renderKinds({ app, signal }: Living, space: Space): HTMLElement {
  const group = el('div', { class: 'nav-group nav-end' })
  let drawn = new AbortController()
  const draw = () => {
    drawn.abort()
    drawn = new AbortController()
    const ends = AbortSignal.any([drawn.signal, signal])
    group.replaceChildren(...kindLinks({ app, signal: ends }, space))
  }
  draw()
  app.state.watch(({ contents }) => contents, draw, signal)
  return group
}

function kindLinks(context: Living, { slug }: Space): HTMLElement[] {
  const home = spaceHref(slug)
  const { contents } = context.app.state.get()
  const holds = (kind: string) => contents.includes(kind)
  const library = libraryKinds.find(holds)
  return [
    holds('task') && navLink(context, `${home}/tasks`, 'task', 'Tasks'),
    holds('project') && navLink(context, `${home}/projects`, 'project', 'Projects'),
    holds('mail') && navLink(context, `${home}/mail`, 'mail', 'Mail'),
    library && navLink(context, `${home}/${kindNames[library].path}`, 'library', 'Library'),
    holds('research') && navLink(context, `${home}/research`, 'book', 'Research'),
  ].filter((link) => link !== false && link !== undefined)
}

function searchButton(app: App): HTMLElement {
  return el(
    'a',
    {
      class: 'nav-link',
      href: '/search',
      title: 'Search',
      'data-palette': '',
      onclick: (event: MouseEvent) => app.panels.openPalette(event),
    },
    icon('search'),
    el('span', { class: 'nav-label' }, 'Search'),
    el('span', { class: 'nav-key' }, keyCaps('Mod+k')),
  )
}

/** Only there where the column has room for icons alone: shows the whole of it, with the pages. */
const pagesButton = ({ panels }: App): HTMLElement =>
  el(
    'button',
    {
      class: 'nav-link nav-open',
      type: 'button',
      title: 'Pages',
      'aria-label': 'Pages',
      onclick: () => panels.toggleNav(true),
    },
    icon('page'),
  )

/** Only there where the navigation is a sheet. */
function closeButton(app: App): HTMLElement {
  return el(
    'button',
    {
      class: 'icon-button nav-close',
      type: 'button',
      'aria-label': 'Close',
      onclick: () => app.panels.toggleNav(false),
    },
    icon('close'),
  )
}

/** The pages of a Space that are kept at hand; hidden while there are none. Reordered by dragging, or with Alt and arrows. */
function renderFavourites({ app, signal }: AppContext, space: Space): HTMLElement {
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

/** The name of the Space, and the menu of all of them. */
function renderSpaceSwitcher({ app, signal }: AppContext): HTMLElement {
  const slot = el('div', { class: 'switcher' })
  const draw = () => slot.replaceChildren(...renderMenu(app))
  draw()
  app.state.watch(({ spaces }) => spaces, draw, signal)
  app.state.watch(({ path }) => path, draw, signal)
  return slot
}

function renderMenu(app: App): HTMLElement[] {
  const { path, space, spaces } = app.state.get()
  const home = space ? spaceHref(space.slug) : '/spaces'
  const item = (href: string, name: IconName, label: string, last = false) =>
    el('a', { class: ['menu-item', last && 'menu-item-last'], href }, icon(name), label)
  return [
    el(
      'a',
      { class: 'switcher-home', href: home, 'aria-current': path === home ? 'page' : null },
      spaceMark(space),
      el('span', { class: 'nav-label' }, space?.name ?? 'Void'),
    ),
    el(
      'button',
      {
        class: 'icon-button switcher-button',
        type: 'button',
        popovertarget: 'spaces-menu',
        title: 'Space menu',
        'aria-label': 'Space menu',
      },
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
      item('/spaces', 'grid', 'All Spaces', true),
      el(
        'button',
        { class: 'menu-item', type: 'button', onclick: () => startSpace(app) },
        icon('plus'),
        'New Space',
      ),
      item('/activity', 'activity', 'Activity', true),
      space && item(`${home}/graph`, 'graph', 'Graph'),
      space && item(`${home}/trash`, 'trash', 'Trash'),
      space && item(`${home}/settings`, 'settings', 'Space settings'),
    ),
  ]
}
