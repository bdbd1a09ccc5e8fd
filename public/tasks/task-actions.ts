import type { Task, TaskStatus } from '../../lib/contract/entities.ts'
import type { TaskRow } from '../../lib/contract/space/home.ts'
import type { ManyAction } from '../app/actions/select-rows.ts'
import type { ViewContext } from '../app/view.ts'
import { findTask, type TaskPanel } from './task-panel.ts'

/** What can be done to a task, by keys or by its buttons. */
export type TaskActions = {
  toggle(id: string): void
  setStatus(id: string, status: TaskStatus): void
  askDue(id: string): void
  raise(id: string): void
  remove(id: string): void
}

/** Loaded once several are changed, which is seldom the first thing in a list. */
const loadMany = () => import('../app/actions/change-many.ts')

/** What can be done to tasks that are selected together. */
export function manyTasks(panel: TaskPanel, { app, refresh }: ViewContext): ManyAction[] {
  const tasksOf = (ids: readonly string[]): TaskRow[] => ids.flatMap((id) => findTask(panel.groups, id) ?? [])
  const path = (id: string) => `/api/tasks/${id}`
  return [
    {
      label: 'Mark done',
      icon: 'check',
      key: 'x',
      run: async (ids) =>
        (await loadMany()).changeMany(
          app,
          tasksOf(ids).filter(({ status }) => status !== 'done'),
          {
            done: (count) => `Marked ${count === 1 ? '1 task' : `${count} tasks`} done.`,
            apply: ({ id, version }) => app.api.patch<Task>(path(id), { status: 'done', version }),
            // One that repeats was moved instead.
            undo: ({ id, status, due_on, recurrence, remind_at }, { version }) =>
              app.api.patch(path(id), { status, due_on, recurrence, remind_at, version }),
            after: refresh,
          },
        ),
    },
    {
      label: 'Move to trash',
      icon: 'trash',
      key: 'Delete',
      run: async (ids) => (await loadMany()).deleteMany(app, 'task', tasksOf(ids), refresh),
    },
  ]
}
