// The tasks of a Space or of a project with what is done to them. What is drawn here comes alive in mount-panel.ts.

import type { List, Project, Space } from '../../lib/contract/entities.ts'
import type { LiveEvent } from '../../lib/contract/live.ts'
import type { TaskGroups } from '../../lib/contract/task-groups.ts'
import { type Child, el } from '../dom.ts'
import type { LoadContext } from '../view.ts'
import { renderBoard } from './board.ts'
import { groupsPath, isFiltered, parseFilters, type TaskFilters } from './task-filters.ts'
import type { Groups } from './task-groups.ts'
import { renderTaskList } from './task-list.ts'

export type TaskPanel = {
  groups: Groups
  projects: Pick<Project, 'id' | 'title'>[]
  filters: TaskFilters
  /** Set when the panel shows the tasks of one project only; new ones go there. */
  projectId: string | null
  /** While changes are on their way, or asked for, what happens elsewhere waits: it would show what was before them. */
  held: { busy: boolean }
}

export async function loadPanel(
  { api, space, url, now }: LoadContext,
  projectId: string | null = null,
): Promise<TaskPanel> {
  const filters = parseFilters(url.searchParams)
  if (projectId) filters.project = projectId
  const [{ groups }, { items }] = await Promise.all([
    api.get<TaskGroups>(groupsPath(space!.id, filters, now)),
    api.get<List<Project>>(`/api/spaces/${space!.id}/projects?sort=title&limit=200`),
  ])
  return { groups, projects: items, filters, projectId, held: { busy: false } }
}

export const panelAffectedBy = (event: LiveEvent, space: Space): boolean =>
  event.type === 'entity' &&
  event.data.space_id === space.id &&
  (event.data.kind === 'task' || event.data.kind === 'project')

/** The tasks themselves; drawn anew with every change. */
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
          el('p', {}, 'No task passes these filters.'),
          el('button', { class: 'button', type: 'button', 'data-do': 'clear' }, 'Show all tasks'),
        ]
      : el('p', {}, 'There is nothing to do here yet. Write a task in the line above, or ask the companion.'),
  )
}
