// Every address of the app. start/views.ts names the view of each.

import { el } from '../../ui/dom.ts'

const patterns = [
  '/spaces',
  '/s/:slug',
  '/s/:slug/daily',
  '/s/:slug/pages',
  '/s/:slug/pages/:id',
  '/s/:slug/views',
  '/s/:slug/views/:id',
  '/s/:slug/tasks',
  '/s/:slug/tasks/:id',
  '/s/:slug/projects',
  '/s/:slug/projects/:id',
  '/s/:slug/refs',
  '/s/:slug/refs/:id',
  '/s/:slug/resources',
  '/s/:slug/resources/:id',
  '/s/:slug/source-docs',
  '/s/:slug/source-docs/:id',
  '/s/:slug/mail',
  '/s/:slug/mail/:id',
  '/s/:slug/research',
  '/s/:slug/research/:id',
  '/s/:slug/threads/:id',
  '/s/:slug/trash',
  '/s/:slug/graph',
  '/s/:slug/settings',
  '/today',
  '/inbox',
  '/inbox/:id',
  '/search',
  '/activity',
  '/settings',
  '/settings/:section',
] as const

/** Segments; `:name` matches any one. */
export type Pattern = (typeof patterns)[number]

export type RouteMatch = { pattern: Pattern; params: Record<string, string> }

/** The route of a path, with its parameters; `null` when there is none. */
export function matchRoute(path: string): RouteMatch | null {
  const segments = path.replace(/\/+$/, '').split('/')
  for (const pattern of patterns) {
    const params = matchSegments(pattern.split('/'), segments)
    if (params) return { pattern, params }
  }
  return null
}

function matchSegments(names: string[], segments: string[]): Record<string, string> | null {
  if (names.length !== segments.length) return null
  const params: Record<string, string> = {}
  for (const [index, name] of names.entries()) {
    const segment = decode(segments[index]!)
    if (segment === null) return null
    if (name.startsWith(':')) {
      if (segment === '') return null
      params[name.slice(1)] = segment
    } else if (name !== segment) return null
  }
  return params
}

function decode(segment: string): string | null {
  try {
    return decodeURIComponent(segment)
  } catch {
    return null
  }
}

// The content area may be split: its right pane is the same app in a frame of its own, so that two views never share an
// id, a key or the focus. The URL of the frame is part of the page's URL, as `beside`.

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
