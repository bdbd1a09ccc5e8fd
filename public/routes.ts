// Every address of the app. Each view is a chunk of its own, loaded when it is first needed; route-modules.ts names it.

import type { View } from './app/view.ts'

export type RouteEntry = {
  /** Segments; `:name` matches any one. */
  pattern: string
  load: () => Promise<{ view: View }>
}

const loadPages = () => import('./views/pages.ts')
const loadMail = () => import('./views/mail/mail.ts')
const loadInbox = () => import('./views/inbox.ts')
const loadSettings = () => import('./views/settings.ts')
const loadResearch = () => import('./research/view.ts')

export const routes: readonly RouteEntry[] = [
  { pattern: '/spaces', load: () => import('./views/spaces.ts') },
  { pattern: '/s/:slug', load: () => import('./views/home.ts') },
  { pattern: '/s/:slug/daily', load: () => import('./notes/daily-view.ts') },
  { pattern: '/s/:slug/pages', load: loadPages },
  { pattern: '/s/:slug/pages/:id', load: () => import('./views/page.ts') },
  { pattern: '/s/:slug/views', load: loadPages },
  { pattern: '/s/:slug/views/:id', load: loadPages },
  { pattern: '/s/:slug/tasks', load: () => import('./views/tasks.ts') },
  { pattern: '/s/:slug/tasks/:id', load: () => import('./views/task.ts') },
  { pattern: '/s/:slug/projects', load: () => import('./views/projects.ts') },
  { pattern: '/s/:slug/projects/:id', load: () => import('./views/project.ts') },
  { pattern: '/s/:slug/refs', load: () => import('./views/refs.ts') },
  { pattern: '/s/:slug/refs/:id', load: () => import('./views/ref.ts') },
  { pattern: '/s/:slug/resources', load: () => import('./views/resources.ts') },
  { pattern: '/s/:slug/resources/:id', load: () => import('./views/resource.ts') },
  { pattern: '/s/:slug/source-docs', load: () => import('./views/source-docs.ts') },
  { pattern: '/s/:slug/source-docs/:id', load: () => import('./views/source-doc.ts') },
  { pattern: '/s/:slug/mail', load: loadMail },
  { pattern: '/s/:slug/mail/:id', load: loadMail },
  { pattern: '/s/:slug/research', load: loadResearch },
  { pattern: '/s/:slug/research/:id', load: loadResearch },
  { pattern: '/s/:slug/trash', load: () => import('./views/trash.ts') },
  { pattern: '/today', load: () => import('./today/view.ts') },
  { pattern: '/inbox', load: loadInbox },
  { pattern: '/inbox/:id', load: loadInbox },
  { pattern: '/search', load: () => import('./views/search.ts') },
  { pattern: '/activity', load: () => import('./views/activity.ts') },
  { pattern: '/settings', load: loadSettings },
  { pattern: '/settings/:section', load: loadSettings },
]

export type RouteMatch = { route: RouteEntry; params: Record<string, string> }

/** The route of a path, with its parameters; `null` when there is none. */
export function matchRoute(path: string, table: readonly RouteEntry[] = routes): RouteMatch | null {
  const segments = path.replace(/\/+$/, '').split('/')
  for (const route of table) {
    const params = matchSegments(route.pattern.split('/'), segments)
    if (params) return { route, params }
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
