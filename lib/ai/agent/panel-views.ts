import type { PanelView } from '../../contract/events/effects.ts'

/** The views of a Space that can be open as a tab, with what their tab says. */
export const panelViews = {
  home: 'Home',
  pages: 'Pages',
  tasks: 'Tasks',
  projects: 'Projects',
  refs: 'References',
  resources: 'Resources',
  'source-docs': 'Files',
  search: 'Search',
  activity: 'Activity',
  inbox: 'Inbox',
  trash: 'Trash',
} as const satisfies Record<PanelView, string>

/** Their names, in that order. */
export const panelViewNames = Object.keys(panelViews) as PanelView[]
