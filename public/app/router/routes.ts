// Every address of the app. start/views.ts names the view of each.

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
  '/s/:slug/trash',
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
