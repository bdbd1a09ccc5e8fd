// mount-panel.ts adds the listeners.

import { type Child, el } from '../../ui/dom.ts'
import { renderBoard } from './board.ts'
import { isFiltered } from './task-filters.ts'
import { renderTaskList } from './task-list.ts'
import type { TaskPanel } from './task-panel.ts'

/** The list or the board; drawn again with every change. */
export function renderTasks(panel: TaskPanel, context: { slug: string; now: Date }): Child {
  const { filters, groups, projectId } = panel
  const shown = groups.filter(({ status }) => !filters.status || status === filters.status)
  if (filters.view === 'board' && !projectId) return renderBoard({ ...panel, groups: shown }, context)
  const none = shown.every(({ count }) => count === 0)
  return none ? emptyState(panel) : renderTaskList({ ...panel, groups: shown }, context)
}

function emptyState({ filters, projectId }: TaskPanel): HTMLElement {
  const filtered = isFiltered(projectId ? { ...filters, project: null } : filters)
  return el(
    'div',
    { class: 'empty' },
    filtered
      ? [
          el('p', {}, 'No tasks match these filters.'),
          el('button', { class: 'button', type: 'button', 'data-do': 'clear' }, 'Clear filters'),
        ]
      : el('p', {}, 'No tasks yet. Type one in the field above, or ask the companion.'),
  )
}
