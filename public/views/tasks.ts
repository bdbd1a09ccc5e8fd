import { defineView } from '../app/view.ts'
import { el } from '../dom.ts'
import { renderFilterBar } from '../tasks/filter-bar.ts'
import { mountPanel } from '../tasks/mount-panel.ts'
import { renderQuickAdd } from '../tasks/quick-add.ts'
import { renderTasks } from '../tasks/render-tasks.ts'
import { loadPanel, panelAffectedBy, type TaskPanel } from '../tasks/task-panel.ts'

export const view = defineView<TaskPanel>({
  load: (context) => loadPanel(context),
  title: (_panel, { space }) => `Tasks · ${space!.name}`,
  layout: 'wide',
  render: (panel, context) =>
    el(
      'div',
      { class: ['task-view', panel.filters.view === 'board' && 'task-view-board'] },
      el('header', { class: 'view-head' }, el('h1', {}, 'Tasks')),
      renderQuickAdd(),
      renderFilterBar(panel, context),
      el('div', { id: 'tasks' }, renderTasks(panel, { slug: context.space!.slug, now: context.now })),
    ),
  mount: mountPanel,
  keepsItself: ({ held }) => held.busy,
  affectedBy: (event, _panel, { space }) => panelAffectedBy(event, space!),
})
