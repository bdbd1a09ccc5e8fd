// The modules of the views below public/, for the server to name their chunks in the page. The browser has no use for
// them.

export const moduleOf: Readonly<Record<string, string>> = {
  '/spaces': 'views/spaces.ts',
  '/s/:slug': 'views/home.ts',
  '/s/:slug/daily': 'notes/daily-view.ts',
  '/s/:slug/pages': 'views/pages.ts',
  '/s/:slug/pages/:id': 'views/page.ts',
  '/s/:slug/views': 'views/pages.ts',
  '/s/:slug/views/:id': 'views/pages.ts',
  '/s/:slug/tasks': 'views/tasks.ts',
  '/s/:slug/tasks/:id': 'views/task.ts',
  '/s/:slug/projects': 'views/projects.ts',
  '/s/:slug/projects/:id': 'views/project.ts',
  '/s/:slug/refs': 'views/refs.ts',
  '/s/:slug/refs/:id': 'views/ref.ts',
  '/s/:slug/resources': 'views/resources.ts',
  '/s/:slug/resources/:id': 'views/resource.ts',
  '/s/:slug/source-docs': 'views/source-docs.ts',
  '/s/:slug/source-docs/:id': 'views/source-doc.ts',
  '/s/:slug/mail': 'views/mail/mail.ts',
  '/s/:slug/mail/:id': 'views/mail/mail.ts',
  '/s/:slug/research': 'research/view.ts',
  '/s/:slug/research/:id': 'research/view.ts',
  '/s/:slug/trash': 'views/trash.ts',
  '/today': 'today/view.ts',
  '/inbox': 'views/inbox.ts',
  '/inbox/:id': 'views/inbox.ts',
  '/search': 'views/search.ts',
  '/activity': 'views/activity.ts',
  '/settings': 'views/settings.ts',
  '/settings/:section': 'views/settings.ts',
}

const areas: [pattern: RegExp, area: string][] = [
  [/^\/settings/, 'settings'],
  [/^\/s\/:slug\/pages\/:id/, 'writing'],
  [/^\/s\/:slug\/(?:pages|views)/, 'lists'],
  [/^\/s\/:slug\/tasks$/, 'board'],
  [/^\/s\/:slug\/(?:mail|research|trash)/, 'more'],
]

/** Whose styles, of those in styles/areas, a view begins with; the others follow once the page is alive. */
export function areaOf(pattern: string, query: URLSearchParams): string | null {
  const area = areas.find(([each]) => each.test(pattern))?.[1] ?? null
  const isWriting = query.has('edit') || query.has('history')
  return area === 'writing' && !isWriting ? 'reading' : area
}
