// The content area may be split: its right pane is the same app in a frame of its own, so that two views never share an
// id, a key or the focus. The URL of the frame is part of the page's URL, as `beside`.

import { el } from '../../ui/dom.ts'
import { matchRoute } from './routes.ts'

const parameter = 'beside'

/** The address of the right pane; `null` when the area is not split, or for an address that is not the app's. */
export function rightAddress(url: URL): string | null {
  const href = url.searchParams.get(parameter)
  if (href === null || !/^\/(?!\/)/.test(href)) return null
  return matchRoute(href.split(/[?#]/)[0] ?? '') ? href : null
}

/** The same address with another one in the right pane. */
export function withRightAddress(url: URL, href: string | null): URL {
  const next = new URL(url)
  if (href === null) next.searchParams.delete(parameter)
  else next.searchParams.set(parameter, href)
  return next
}

export const renderRightFrame = (href: string): HTMLIFrameElement =>
  el('iframe', { class: 'beside', id: 'beside', src: href, title: 'Right pane' })
