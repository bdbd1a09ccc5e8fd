import type { Project } from '../../lib/contract/entities.ts'
import { listView } from '../features/lists/list-view.ts'
import { el } from '../ui/dom.ts'
import { projectStatusNames } from '../ui/words/names.ts'

const tones = {
  active: 'badge-violet',
  on_hold: 'badge-amber',
  done: 'badge-green',
  cancelled: null,
} as const

export const view = listView<Project>({
  type: 'project',
  facts: ({ status }) => el('span', { class: ['badge', tones[status]] }, projectStatusNames[status]),
  statuses: projectStatusNames,
  create: [],
  empty: 'No projects yet. A project groups tasks that share a goal.',
})
