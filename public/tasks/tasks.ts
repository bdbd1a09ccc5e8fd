import { changeQuery, defineView, type ViewContext } from '../app/view.ts'
import { filterBar, filterChip } from '../ui/components/filter-chip.ts'
import { icon } from '../ui/components/icon.ts'
import { el } from '../ui/dom.ts'
import { priorityNames, statusNames } from '../ui/words/names.ts'
import { mountPanel } from './mount-panel.ts'
import { renderQuickAdd } from './quick-add.ts'
import { renderTasks } from './render-tasks.ts'
import { dueNames, isFiltered, loadPanel, panelAffectedBy, type TaskPanel } from './task-panel.ts'

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
  keepsItself: ({ activity }) => activity.busy,
  affectedBy: (event, _panel, { space }) => panelAffectedBy(event, space!),
})

/** The filters, and the switch between list and board. */
function renderFilterBar({ filters, projects }: TaskPanel, context: ViewContext): HTMLElement {
  const names = Object.fromEntries(projects.map(({ id, title }) => [id, title]))
  return filterBar(
    choice('status', 'Status', statusNames, filters.status, context),
    projects.length > 0 && choice('project', 'Project', names, filters.project, context),
    choice('due', 'Due', dueNames, filters.due, context),
    choice('priority', 'Priority', priorityNames, filters.priority, context),
    isFiltered(filters) &&
      el(
        'button',
        {
          class: 'button button-quiet button-small',
          type: 'button',
          onclick: () => changeQuery(context, { status: null, project: null, due: null, priority: null }),
        },
        'Clear',
      ),
    viewSwitch(filters.view, context),
  )
}

function viewSwitch(view: 'list' | 'board', context: ViewContext): HTMLElement {
  const button = (name: 'list' | 'board', label: string) =>
    el(
      'button',
      {
        type: 'button',
        id: `view-${name}`,
        'aria-pressed': view === name,
        onclick: () => context.app.navigate(hrefOf(context.url, name), { replace: true }),
      },
      icon(name),
      label,
    )
  return el(
    'div',
    { class: 'segments', role: 'group', 'aria-label': 'View' },
    button('list', 'List'),
    button('board', 'Board'),
  )
}

function hrefOf(url: URL, view: 'list' | 'board'): string {
  const query = new URLSearchParams(url.search)
  query.delete('view')
  if (view === 'board') query.set('view', view)
  return `${url.pathname}?${query}`
}

const choice = (
  name: string,
  label: string,
  options: Record<string, string>,
  value: string | null,
  context: ViewContext,
): HTMLElement =>
  filterChip({
    id: `filter-${name}`,
    label,
    options: Object.entries(options),
    value,
    choose: (to) => changeQuery(context, { [name]: to }),
  })
