// The modules of the views below public/, for the server to name their chunks in the page. The browser has no use for
// them.

import type { Pattern } from '../app/router/routes.ts'

export const moduleOf: Readonly<Record<Pattern, string>> = {
  '/spaces': 'settings/spaces/spaces.ts',
  '/s/:slug': 'features/home/home.ts',
  '/s/:slug/daily': 'page/notes/daily-view.ts',
  '/s/:slug/pages': 'page/pages.ts',
  '/s/:slug/pages/:id': 'page/page.ts',
  '/s/:slug/views': 'page/pages.ts',
  '/s/:slug/views/:id': 'page/pages.ts',
  '/s/:slug/tasks': 'tasks/tasks.ts',
  '/s/:slug/tasks/:id': 'tasks/task.ts',
  '/s/:slug/projects': 'tasks/projects.ts',
  '/s/:slug/projects/:id': 'tasks/project.ts',
  '/s/:slug/refs': 'features/lists/refs.ts',
  '/s/:slug/refs/:id': 'features/details/ref.ts',
  '/s/:slug/resources': 'features/lists/resources.ts',
  '/s/:slug/resources/:id': 'features/details/resource.ts',
  '/s/:slug/source-docs': 'features/lists/source-docs.ts',
  '/s/:slug/source-docs/:id': 'features/details/source-doc.ts',
  '/s/:slug/mail': 'features/mail/mail.ts',
  '/s/:slug/mail/:id': 'features/mail/mail.ts',
  '/s/:slug/research': 'features/research/research.ts',
  '/s/:slug/research/:id': 'features/research/research.ts',
  '/s/:slug/threads/:id': 'features/threads/thread.ts',
  '/s/:slug/trash': 'features/lists/trash.ts',
  '/s/:slug/graph': 'features/graph/graph.ts',
  '/s/:slug/settings': 'settings/space-settings.ts',
  '/today': 'features/home/today.ts',
  '/inbox': 'drafts/inbox/inbox.ts',
  '/inbox/:id': 'drafts/inbox/inbox.ts',
  '/search': 'features/search/search.ts',
  '/activity': 'features/activity/activity.ts',
  '/settings': 'settings/settings.ts',
  '/settings/:section': 'settings/settings.ts',
}

const areas: [pattern: RegExp, area: string][] = [
  [/^(?:\/s\/:slug)?\/settings/, 'settings'],
  [/^\/inbox/, 'inbox'],
  [/^\/s\/:slug\/(?:graph|source-docs\/:id)/, 'drawings'],
  [/^\/s\/:slug\/pages\/:id/, 'writing'],
  [/^\/s\/:slug\/(?:pages|views)/, 'lists'],
  [/^\/s\/:slug\/tasks$/, 'board'],
  [/^\/s\/:slug\/(?:mail|research|threads)/, 'more'],
  [/^(?:\/s\/:slug\/trash|\/activity)/, 'activity'],
]

/** Whose styles, of those in styles/areas, a view begins with; the others follow once the page is alive. */
export function areaOf(pattern: string, query: URLSearchParams): string | null {
  const area = areas.find(([each]) => each.test(pattern))?.[1] ?? null
  const isWriting = query.has('edit') || query.has('history')
  return area === 'writing' && !isWriting ? 'reading' : area
}
