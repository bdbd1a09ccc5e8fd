// The tasks of a Space or of a project, as they are shown.

import type { Project, Space, TaskPriority, TaskStatus } from '../../lib/contract/entities.ts'
import type { LiveEvent } from '../../lib/contract/events/live.ts'
import type { List } from '../../lib/contract/list.ts'
import type { TaskGroups, TaskRow } from '../../lib/contract/space/home.ts'
import type { LoadContext } from '../app/view.ts'
import { addDays, localDay } from '../ui/time.ts'
import { withQuery } from '../ui/words/addresses.ts'
import { isActive, priorities, statuses } from '../ui/words/names.ts'

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
  activity: { busy: boolean; asking: boolean }
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
  return { groups, projects: items, filters, projectId, activity: { busy: false, asking: false } }
}

export const panelAffectedBy = (event: LiveEvent, space: Space): boolean =>
  event.type === 'entity' &&
  event.data.space_id === space.id &&
  (event.data.kind === 'task' || event.data.kind === 'project')

// The groups of tasks after a change that is still being sent.

export type Groups = TaskGroups['groups']

export const findTask = (groups: Groups, id: string): TaskRow | null =>
  groups.flatMap(({ items }) => items).find((task) => task.id === id) ?? null

/** The groups with a task as it is now, in the order of status, date and priority. */
export function putTask(groups: Groups, task: TaskRow): Groups {
  return dropTask(groups, task.id).map((group) => {
    if (group.status !== task.status) return group
    const items = isActive(group.status) ? [...group.items, task].sort(byUrgency) : [task, ...group.items]
    return { ...group, count: group.count + 1, items }
  })
}

/** The groups without a task. */
export function dropTask(groups: Groups, id: string): Groups {
  return groups.map((group) => {
    const items = group.items.filter((task) => task.id !== id)
    return items.length === group.items.length ? group : { ...group, count: group.count - 1, items }
  })
}

/** As the server sorts: by due date, the undated last, then by priority, then the older first. */
function byUrgency(one: TaskRow, other: TaskRow): number {
  return (
    (one.due_on ?? '9999').localeCompare(other.due_on ?? '9999') ||
    priorities.indexOf(other.priority) - priorities.indexOf(one.priority) ||
    (one.id < other.id ? -1 : 1)
  )
}

// The filters of tasks, in the URL and in requests.

export const dueNames = {
  overdue: 'Overdue',
  today: 'Today',
  week: 'Next 7 days',
  none: 'No date',
} as const

type DueFilter = keyof typeof dueNames

export type TaskFilters = {
  view: 'list' | 'board'
  status: TaskStatus | null
  project: string | null
  due: DueFilter | null
  priority: TaskPriority | null
  /** How many closed tasks are listed. */
  closed: number
  /** How many active tasks are listed. */
  active: number
}

export const closedStep = 20

const maxClosed = 500

export const activeStep = 500

const maxActive = 5000

/** Missing and invalid values are no filter. */
export function parseFilters(query: URLSearchParams): TaskFilters {
  const closed = Number(query.get('closed'))
  const active = Number(query.get('active'))
  return {
    view: query.get('view') === 'board' ? 'board' : 'list',
    status: oneOf(statuses, query.get('status')),
    project: /^[0-9a-f-]{36}$/i.test(query.get('project') ?? '') ? query.get('project') : null,
    due: oneOf(Object.keys(dueNames) as DueFilter[], query.get('due')),
    priority: oneOf(priorities, query.get('priority')),
    closed: closed > closedStep && closed <= maxClosed ? Math.trunc(closed) : closedStep,
    active: active > activeStep && active <= maxActive ? Math.trunc(active) : activeStep,
  }
}

export const isFiltered = ({ status, project, due, priority }: TaskFilters): boolean =>
  Boolean(status || project || due || priority)

/** The request for the tasks that match; `now` is in the reader's time zone. */
export function groupsPath(spaceId: string, filters: TaskFilters, now: Date): string {
  const { project, priority, due, closed, active } = filters
  return withQuery(`/api/spaces/${spaceId}/task-groups`, {
    project_id: project,
    priority,
    ...dueRange(due, localDay(now)),
    closed,
    active: active === activeStep ? null : active,
  })
}

function dueRange(due: DueFilter | null, today: string): Record<string, string> {
  if (due === 'overdue') return { due_to: addDays(today, -1) }
  if (due === 'today') return { due_from: today, due_to: today }
  if (due === 'week') return { due_from: today, due_to: addDays(today, 7) }
  return due === 'none' ? { undated: 'true' } : {}
}

const oneOf = <Name extends string>(names: readonly Name[], value: string | null): Name | null =>
  names.find((name) => name === value) ?? null
