// The tasks of a Space or of a project, as they are shown.

import type { Project, Space } from '../../../lib/contract/entities/entities.ts'
import type { LiveEvent } from '../../../lib/contract/events/live.ts'
import type { List } from '../../../lib/contract/list.ts'
import type { TaskGroups } from '../../../lib/contract/space/task-groups.ts'
import type { LoadContext } from '../../app/view.ts'
import { groupsPath, parseFilters, type TaskFilters } from './task-filters.ts'
import type { Groups } from './task-groups.ts'

export type TaskPanel = {
  groups: Groups
  projects: Pick<Project, 'id' | 'title'>[]
  filters: TaskFilters
  /** Set when the panel shows the tasks of one project only; new ones go there. */
  projectId: string | null
  /**
   * While own changes are being sent or asked for (`busy`), changes from elsewhere wait: they would show the old state.
   * It stays so while a dialog is open (`asking`), whatever was saved meanwhile.
   */
  held: { busy: boolean; asking: boolean }
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
  return { groups, projects: items, filters, projectId, held: { busy: false, asking: false } }
}

export const panelAffectedBy = (event: LiveEvent, space: Space): boolean =>
  event.type === 'entity' &&
  event.data.space_id === space.id &&
  (event.data.kind === 'task' || event.data.kind === 'project')
