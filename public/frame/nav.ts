import type { Space } from '../../lib/contract/entities.ts'
import { spaceHref } from '../addresses.ts'
import type { App } from '../app.ts'
import { type IconName, icon } from '../components/icon.ts'
import { keyCaps } from '../components/key-caps.ts'
import { el } from '../dom.ts'
import { renderTree } from './tree.ts'

/** What a part that follows the state needs: `signal` ends it when it is drawn anew. */
export type Living = { app: App; signal: AbortSignal }

/** The left column: the Spaces, what waits, what the Space holds. */
export function renderNav(app: App, signal: AbortSignal): HTMLElement {
  const { space } = app.state.get()
  return el(
    'nav',
    { class: 'nav', 'aria-label': 'Main' },
    el('div', { class: 'nav-top' }, spaceSwitcher({ app, signal }), closeButton(app)),
    el(
      'div',
      { class: 'nav-group' },
      searchButton(app),
      link({ app, signal }, '/inbox', 'inbox', 'Inbox', inboxCount({ app, signal })),
    ),
    space && el('div', { class: 'nav-group' }, ...spaceLinks({ app, signal }, space)),
    space && renderTree({ app, signal }, space),
    el(
      'div',
      { class: 'nav-group nav-end' },
      link({ app, signal }, '/activity', 'activity', 'Activity'),
      space && link({ app, signal }, `${spaceHref(space.slug)}/trash`, 'trash', 'Trash'),
      link({ app, signal }, '/settings', 'settings', 'Settings'),
    ),
  )
}

function spaceLinks(living: Living, { slug }: Space): HTMLElement[] {
  const home = spaceHref(slug)
  return [
    link(living, home, 'home', 'Home'),
    link(living, `${home}/tasks`, 'task', 'Tasks'),
    link(living, `${home}/projects`, 'project', 'Projects'),
    link(living, `${home}/refs`, 'link', 'Refs'),
    link(living, `${home}/resources`, 'resource', 'Resources'),
    link(living, `${home}/source-docs`, 'document', 'Source documents'),
  ]
}

/** A link that knows whether it is where we are. */
export function link(
  { app, signal }: Living,
  href: string,
  name: IconName,
  label: string,
  extra?: HTMLElement,
): HTMLAnchorElement {
  const isHome = /^\/s\/[^/]+$/.test(href)
  const isHere = (path: string) => path === href || (!isHome && path.startsWith(`${href}/`))
  const current = (path: string) => (isHere(path) ? 'page' : null)
  const anchor = el(
    'a',
    { class: 'nav-link', href, title: label, 'aria-current': current(app.state.get().path) },
    icon(name),
    el('span', { class: 'nav-label' }, label),
    extra,
  )
  app.state.watch(
    ({ path }) => current(path),
    (value) => (value ? anchor.setAttribute('aria-current', value) : anchor.removeAttribute('aria-current')),
    signal,
  )
  return anchor
}

/** The number of waiting drafts; nothing at zero. */
export function inboxCount({ app, signal }: Living): HTMLElement {
  const text = (count: number) => (count === 0 ? '' : count > 99 ? '99+' : String(count))
  const label = (count: number) => `${count} ${count === 1 ? 'draft waits' : 'drafts wait'}`
  const { inbox } = app.state.get()
  const badge = el('span', { class: 'count', 'aria-label': label(inbox), role: 'status' }, text(inbox))
  app.state.watch(
    (state) => state.inbox,
    (count) => {
      badge.textContent = text(count)
      badge.setAttribute('aria-label', label(count))
    },
    signal,
  )
  return badge
}

function searchButton(app: App): HTMLElement {
  return el(
    'a',
    {
      class: 'nav-link',
      href: '/search',
      title: 'Search',
      'data-palette': '',
      onclick: (event: MouseEvent) => app.openPalette(event),
    },
    icon('search'),
    el('span', { class: 'nav-label' }, 'Search'),
    el('span', { class: 'nav-key' }, keyCaps('Mod+k')),
  )
}

/** Only there on a phone, where the navigation is a sheet. */
function closeButton(app: App): HTMLElement {
  return el(
    'button',
    {
      class: 'icon-button nav-close',
      type: 'button',
      'aria-label': 'Close',
      onclick: () => app.toggleNav(false),
    },
    icon('close'),
  )
}

function spaceSwitcher({ app, signal }: Living): HTMLElement {
  const slot = el('div', { class: 'switcher' })
  const draw = () => slot.replaceChildren(...switcher(app))
  draw()
  app.state.watch(({ spaces }) => spaces, draw, signal)
  return slot
}

function switcher(app: App): HTMLElement[] {
  const { space, spaces } = app.state.get()
  return [
    el(
      'button',
      { class: 'switcher-button', type: 'button', popovertarget: 'spaces-menu', title: 'Switch Space' },
      spaceMark(space?.name ?? 'Void'),
      el('span', { class: 'nav-label' }, space?.name ?? 'Void'),
      icon('chevronDown'),
    ),
    el(
      'div',
      { class: 'menu', id: 'spaces-menu', popover: 'auto' },
      spaces.map(({ id, slug, name }) =>
        el(
          'a',
          { class: 'menu-item', href: spaceHref(slug), 'aria-current': id === space?.id ? 'true' : null },
          spaceMark(name),
          name,
        ),
      ),
      el('a', { class: 'menu-item menu-item-last', href: '/spaces' }, icon('grid'), 'All Spaces'),
    ),
  ]
}

/** A Space's first letter on its colour. */
export const spaceMark = (name: string): HTMLElement =>
  el('span', { class: 'space-mark', 'aria-hidden': 'true' }, [...name][0]?.toUpperCase())
