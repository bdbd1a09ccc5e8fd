import type { Layer } from './layer.ts'

/** The rooms of the browser client, bottom to top. Every room may also use `ui`, and those above `app` may use it. */
export const publicRooms: readonly Layer[] = [
  {
    place: 'ui',
    inside: ['', 'components', 'words', 'diff', 'markdown'],
    uses: [],
  },
  { place: 'app', inside: ['api', '', 'actions', 'storage', 'router'], uses: ['ui'] },
  {
    place: 'drafts',
    inside: ['card/draft', 'card/content', 'card/actions', 'card', 'inbox', 'on-page'],
    uses: [],
  },
  {
    place: 'page',
    inside: [
      'data',
      'notes',
      'blame',
      'history',
      'tree',
      'unsaved',
      'edit/editor',
      'edit',
      'read',
      'lists',
      '',
    ],
    uses: ['drafts'],
  },
  {
    place: 'features',
    inside: ['activity', 'capture', 'details', 'glance', 'home', 'mail', 'research', 'search', 'lists'],
    uses: ['page'],
  },
  { place: 'tasks', uses: ['features'] },
  {
    place: 'rail',
    inside: ['state', 'composer', 'threads', 'turn', 'conversation', 'log', ''],
    uses: ['drafts', 'features'],
  },
  {
    place: 'settings',
    inside: [
      'parts',
      'passkeys',
      'spaces',
      'agents',
      'companions',
      'glance',
      'import',
      'mail',
      'sources',
      'usage',
      'sections',
      '',
    ],
    uses: ['features'],
  },
  { place: 'frame', inside: ['desk', 'palette', ''], uses: ['page', 'rail', 'settings'] },
  { place: 'start', uses: ['drafts', 'features', 'frame', 'page', 'rail', 'settings', 'tasks'] },
]
