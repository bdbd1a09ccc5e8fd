// Every address of the app. Each view is a chunk of its own, loaded when it is first needed.

import type { View } from './app/view.ts'

export type RouteEntry = {
  /** Segments; `:name` matches any one. */
  pattern: string
  /** The module below public/, for the server to name its chunk in the page. */
  module: string
  load: () => Promise<{ view: View }>
}

const loadResearch = () => import('./research/view.ts')

export const routes: readonly RouteEntry[] = [
  { pattern: '/spaces', module: 'views/spaces.ts', load: () => import('./views/spaces.ts') },
  { pattern: '/s/:slug', module: 'views/home.ts', load: () => import('./views/home.ts') },
  { pattern: '/s/:slug/pages', module: 'views/pages.ts', load: () => import('./views/pages.ts') },
  { pattern: '/s/:slug/pages/:id', module: 'views/page.ts', load: () => import('./views/page.ts') },
  { pattern: '/s/:slug/tasks', module: 'views/tasks.ts', load: () => import('./views/tasks.ts') },
  { pattern: '/s/:slug/tasks/:id', module: 'views/task.ts', load: () => import('./views/task.ts') },
  { pattern: '/s/:slug/projects', module: 'views/projects.ts', load: () => import('./views/projects.ts') },
  { pattern: '/s/:slug/projects/:id', module: 'views/project.ts', load: () => import('./views/project.ts') },
  { pattern: '/s/:slug/refs', module: 'views/refs.ts', load: () => import('./views/refs.ts') },
  { pattern: '/s/:slug/refs/:id', module: 'views/ref.ts', load: () => import('./views/ref.ts') },
  { pattern: '/s/:slug/resources', module: 'views/resources.ts', load: () => import('./views/resources.ts') },
  {
    pattern: '/s/:slug/resources/:id',
    module: 'views/resource.ts',
    load: () => import('./views/resource.ts'),
  },
  {
    pattern: '/s/:slug/source-docs',
    module: 'views/source-docs.ts',
    load: () => import('./views/source-docs.ts'),
  },
  {
    pattern: '/s/:slug/source-docs/:id',
    module: 'views/source-doc.ts',
    load: () => import('./views/source-doc.ts'),
  },
  {
    pattern: '/s/:slug/mail',
    module: 'views/mail/mail.ts',
    load: () => import('./views/mail/mail.ts'),
  },
  {
    pattern: '/s/:slug/mail/:id',
    module: 'views/mail/mail.ts',
    load: () => import('./views/mail/mail.ts'),
  },
  { pattern: '/s/:slug/research', module: 'research/view.ts', load: loadResearch },
  { pattern: '/s/:slug/research/:id', module: 'research/view.ts', load: loadResearch },
  { pattern: '/s/:slug/trash', module: 'views/trash.ts', load: () => import('./views/trash.ts') },
  { pattern: '/inbox', module: 'views/inbox.ts', load: () => import('./views/inbox.ts') },
  { pattern: '/inbox/:id', module: 'views/inbox.ts', load: () => import('./views/inbox.ts') },
  { pattern: '/search', module: 'views/search.ts', load: () => import('./views/search.ts') },
  { pattern: '/activity', module: 'views/activity.ts', load: () => import('./views/activity.ts') },
  { pattern: '/settings', module: 'views/settings.ts', load: () => import('./views/settings.ts') },
  { pattern: '/settings/:section', module: 'views/settings.ts', load: () => import('./views/settings.ts') },
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
