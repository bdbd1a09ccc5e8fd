// The right half of the content area: the same app in a frame of its own, so that two views never share an id, a key
// or the focus. Its address travels in the page's own, as `beside`.

import { el } from '../dom.ts'
import { matchRoute } from '../routes.ts'

/** The address beside the one of the page; `null` for none, or for one that is not the app's. */
export function besideOf(url: URL): string | null {
  const href = url.searchParams.get('beside')
  if (href === null || !/^\/(?!\/)/.test(href)) return null
  return matchRoute(href.split(/[?#]/)[0] ?? '') ? href : null
}

/** The same address with another one beside it. */
export function withBeside(url: URL, href: string | null): URL {
  const next = new URL(url)
  if (href === null) next.searchParams.delete('beside')
  else next.searchParams.set('beside', href)
  return next
}

export const renderBeside = (href: string): HTMLIFrameElement =>
  el('iframe', { class: 'beside', id: 'beside', src: href, title: 'Beside' })
