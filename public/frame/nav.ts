import type { Space } from '../../lib/contract/entities.ts'
import type { App } from '../app/app.ts'
import { icon } from '../ui/components/icon.ts'
import { keyCaps } from '../ui/components/key-caps.ts'
import { el } from '../ui/dom.ts'
import { spaceHref } from '../ui/words/addresses.ts'
import { renderFavourites } from './favourites.ts'
import { inboxCount, navLink } from './nav-link.ts'
import { renderTree } from './page-tree.ts'
import { renderSpaceSwitcher } from './space-switcher.ts'

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
      navLink({ app, signal }, '/today', 'clock', 'Today'),
      pagesButton(app),
    ),
    space && el('div', { class: 'nav-group' }, ...spaceLinks({ app, signal }, space)),
    space && renderFavourites({ app, signal }, space),
    space && renderTree({ app, signal }, space),
    el(
      'div',
      { class: 'nav-group nav-end' },
      navLink({ app, signal }, '/activity', 'activity', 'Activity'),
      space && navLink({ app, signal }, `${spaceHref(space.slug)}/trash`, 'trash', 'Trash'),
      navLink({ app, signal }, '/settings', 'settings', 'Settings'),
    ),
  )
}

function spaceLinks(context: Living, { slug }: Space): HTMLElement[] {
  const home = spaceHref(slug)
  return [
    navLink(context, home, 'home', 'Home'),
    navLink(context, `${home}/tasks`, 'task', 'Tasks'),
    navLink(context, `${home}/mail`, 'mail', 'Mail'),
    navLink(context, `${home}/projects`, 'project', 'Projects'),
    navLink(context, `${home}/refs`, 'link', 'References'),
    navLink(context, `${home}/resources`, 'resource', 'Resources'),
    navLink(context, `${home}/source-docs`, 'document', 'Files'),
    navLink(context, `${home}/research`, 'book', 'Research'),
  ]
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
