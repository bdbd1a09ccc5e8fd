import type { Project } from '../../lib/contract/entities.ts'
import { detailView } from '../features/details/detail-view.ts'
import { el } from '../ui/dom.ts'
import { projectStatusNames } from '../ui/words/names.ts'
import { renderQuickAdd } from './quick-add.ts'
import { renderTasks } from './render-tasks.ts'
import { loadPanel, panelAffectedBy, type TaskPanel } from './task-panel.ts'

export const view = detailView<Project, TaskPanel>({
  type: 'project',
  load: (context, id) => loadPanel(context, id),
  fields: () => [
    {
      name: 'status',
      label: 'Status',
      control: 'choice',
      options: Object.entries(projectStatusNames).map(([value, label]) => ({ value, label })),
    },
  ],
  after: ({ extra: panel }, { space, now }) =>
    el(
      'section',
      { class: 'detail-section', 'aria-labelledby': 'tasks-heading' },
      el('h2', { class: 'detail-heading', id: 'tasks-heading' }, 'Tasks'),
      renderQuickAdd(),
      el('div', { class: 'project-tasks', id: 'tasks' }, renderTasks(panel, { slug: space!.slug, now })),
    ),
  async mount(root, { extra: panel }, context) {
    const { mountPanel } = await import('./mount-panel.ts')
    if (!context.signal.aborted) mountPanel(root, panel, context)
  },
  keepsItself: ({ extra: panel }) => panel.activity.busy,
  affectedBy: (event, _data, { space }) => panelAffectedBy(event, space!),
})
