import { defineView } from '../app/view.ts'
import { el } from '../ui/dom.ts'
import { renderFilterBar } from './filter-bar.ts'
import { mountPanel } from './panel/mount-panel.ts'
import { renderQuickAdd } from './panel/quick-add.ts'
import { renderTasks } from './panel/render-tasks.ts'
import { loadPanel, panelAffectedBy, type TaskPanel } from './panel/task-panel.ts'

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
