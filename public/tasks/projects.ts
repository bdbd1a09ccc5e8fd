import type { Project } from '../../lib/contract/entities.ts'
import { listView } from '../features/lists/list-view.ts'
import { el } from '../ui/dom.ts'
import { projectStatusNames } from '../ui/words/names.ts'

export const view = listView<Project>({
  type: 'project',
  facts: ({ status }) => el('span', { class: 'badge' }, projectStatusNames[status]),
  statuses: projectStatusNames,
  create: [],
  empty: 'No projects yet. A project groups tasks that share a goal.',
})
