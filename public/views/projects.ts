import type { Project } from '../../lib/contract/entities.ts'
import { el } from '../dom.ts'
import { listView } from '../lists/list-view.ts'
import { projectStatusNames } from '../lists/project-words.ts'

const looks = {
  active: 'badge-violet',
  on_hold: 'badge-amber',
  done: 'badge-green',
  cancelled: null,
} as const

export const view = listView<Project>({
  type: 'project',
  facts: ({ status }) => el('span', { class: ['badge', looks[status]] }, projectStatusNames[status]),
  statuses: projectStatusNames,
  create: [],
  empty: 'There are no projects yet. A project gathers tasks that lead to one end.',
})
