// The view of every address. Each is a chunk of its own, loaded when it is first needed; route-modules.ts names it.

import type { LoadView } from '../app/router/open-view.ts'

const loadPages = () => import('../page/pages.ts')
const loadMail = () => import('../features/mail/mail.ts')
const loadInbox = () => import('../drafts/inbox/inbox.ts')
const loadSettings = () => import('../settings/settings.ts')
const loadResearch = () => import('../features/research/research.ts')

export const loadView: LoadView = {
  '/spaces': () => import('../settings/spaces/spaces.ts'),
  '/s/:slug': () => import('../features/home/home.ts'),
  '/s/:slug/daily': () => import('../page/notes/daily-view.ts'),
  '/s/:slug/pages': loadPages,
  '/s/:slug/pages/:id': () => import('../page/page.ts'),
  '/s/:slug/views': loadPages,
  '/s/:slug/views/:id': loadPages,
  '/s/:slug/tasks': () => import('../tasks/tasks.ts'),
  '/s/:slug/tasks/:id': () => import('../tasks/task.ts'),
  '/s/:slug/projects': () => import('../tasks/projects.ts'),
  '/s/:slug/projects/:id': () => import('../tasks/project.ts'),
  '/s/:slug/refs': () => import('../features/lists/refs.ts'),
  '/s/:slug/refs/:id': () => import('../features/details/ref.ts'),
  '/s/:slug/resources': () => import('../features/lists/resources.ts'),
  '/s/:slug/resources/:id': () => import('../features/details/resource.ts'),
  '/s/:slug/source-docs': () => import('../features/lists/source-docs.ts'),
  '/s/:slug/source-docs/:id': () => import('../features/details/source-doc.ts'),
  '/s/:slug/mail': loadMail,
  '/s/:slug/mail/:id': loadMail,
  '/s/:slug/research': loadResearch,
  '/s/:slug/research/:id': loadResearch,
  '/s/:slug/threads/:id': () => import('../features/threads/thread.ts'),
  '/s/:slug/trash': () => import('../features/lists/trash.ts'),
  '/s/:slug/graph': () => import('../features/graph/graph.ts'),
  '/s/:slug/settings': () => import('../settings/space-settings.ts'),
  '/today': () => import('../features/home/today.ts'),
  '/inbox': loadInbox,
  '/inbox/:id': loadInbox,
  '/search': () => import('../features/search/search.ts'),
  '/activity': () => import('../features/activity/activity.ts'),
  '/settings': loadSettings,
  '/settings/:section': loadSettings,
}
