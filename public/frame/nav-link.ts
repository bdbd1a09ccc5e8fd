import { countText } from '../../lib/contract/limits.ts'
import type { AppContext } from '../app/app.ts'
import { type IconName, icon } from '../ui/components/icon.ts'
import { el } from '../ui/dom.ts'
import { kindNames, libraryKinds } from '../ui/words/addresses.ts'

/** A link that is marked while its address, or one below it, is shown. */
export function navLink(
  { app, signal }: AppContext,
  href: string,
  name: IconName,
  label: string,
  extra?: HTMLElement,
): HTMLAnchorElement {
  const isHome = /^\/s\/[^/]+$/.test(href)
  const hrefs =
    label === 'Library' ? libraryKinds.map((kind) => href.replace(/[^/]+$/, kindNames[kind].path)) : [href]
  const isHere = (path: string) =>
    hrefs.some((each) => path === each || (!isHome && path.startsWith(`${each}/`)))
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

/** The number of pending drafts; nothing at zero. */
export function inboxCount({ app, signal }: AppContext): HTMLElement {
  const text = (count: number) => (count === 0 ? '' : count > 99 ? '99+' : String(count))
  const label = (count: number) => `${countText(count)} pending ${count === 1 ? 'draft' : 'drafts'}`
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
