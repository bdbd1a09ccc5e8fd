// The groups of tasks after a change that is still being sent.

import type { TaskGroups, TaskRow } from '../../../lib/contract/space/task-groups.ts'
import { isActive, priorities } from '../../ui/words/task-fields.ts'

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
