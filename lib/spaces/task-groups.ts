import { Task } from '../contract/entities/entities.ts'
import type { TaskGroups } from '../contract/space/task-groups.ts'
import type { Queryable } from '../db/pool.ts'
import { createTasksRepo, type TaskFilter } from '../db/repos/tasks.ts'

/** The tasks of a Space by status: at most `active` of each that are still to do, `closed` of each that are over. */
export async function groupTasks(
  db: Queryable,
  filter: TaskFilter,
  { active, closed }: { active: number; closed: number },
): Promise<TaskGroups> {
  const tasks = createTasksRepo(db)
  const counts = await tasks.countByStatus(filter)
  const groups: TaskGroups['groups'] = []
  for (const status of Task.shape.status.options) {
    const limit = status === 'open' || status === 'in_progress' ? active : closed
    const items = counts.has(status) ? await tasks.listByStatus(filter, status, limit) : []
    groups.push({ status, count: counts.get(status) ?? 0, items })
  }
  return { groups }
}
