// The filters of tasks, in the URL and in requests.

import type { TaskPriority, TaskStatus } from '../../../lib/contract/entities/entities.ts'
import { addDays, localDay } from '../../ui/time.ts'
import { withQuery } from '../../ui/words/addresses.ts'
import { priorities, statuses } from '../../ui/words/task-fields.ts'

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
