import type { Task, TaskStatus } from '../../lib/contract/entities.ts'
import type { TaskRow } from '../../lib/contract/space/home.ts'
import { quoteShown } from '../../lib/core/text/quote-name.ts'
import { ApiError, messageOf } from '../app/api/api.ts'
import { createWrites } from '../app/api/entity-writes.ts'
import type { QuickTask } from '../app/parse-quick-task.ts'
import type { ViewContext } from '../app/view.ts'
import { dropTask, findTask, putTask, type TaskPanel } from './task-panel.ts'

export type TaskChanges = {
  change(id: string, fields: Partial<TaskRow>): void
  remove(id: string): Promise<void>
  add(task: QuickTask, status?: TaskStatus): Promise<boolean>
  /** Shows changes from elsewhere, once nothing is being sent. */
  settle(): void
}

/** Changes the tasks of a panel: shown by `draw` at once, and reverted when the server refuses. */
export function createTaskChanges(
  panel: TaskPanel,
  { app, space, refresh }: ViewContext,
  draw: () => void,
): TaskChanges {
  let made = 0
  const put = (task: TaskRow) => {
    panel.groups = putTask(panel.groups, task)
    draw()
  }
  const drop = (id: string) => {
    panel.groups = dropTask(panel.groups, id)
    draw()
  }
  const writes = createWrites<TaskRow>({
    api: app.api,
    path: (id) => `/api/tasks/${id}`,
    show: put,
    onFailure({ error, before, fields }) {
      put(before)
      app.toast(explain(error, before.title), {
        tone: 'problem',
        ...(isGone(error) ? {} : { action: { label: 'Try again', run: () => change(before.id, fields) } }),
      })
    },
    onIdle: settle,
  })

  return { change, remove, add, settle }

  function change(id: string, fields: Partial<TaskRow>): void {
    const task = findTask(panel.groups, id)
    if (!task || task.version === 0) return
    panel.activity.busy = true
    writes.change(task, fields)
  }

  async function remove(id: string): Promise<void> {
    await writes.settled(id)
    const task = findTask(panel.groups, id)
    if (!task || task.version === 0) return
    drop(id)
    const { deleteWithUndo } = await import('../app/actions/delete-with-undo.ts')
    if (!(await deleteWithUndo(app, 'task', task, refresh))) await refresh()
  }

  async function add(task: QuickTask, status: TaskStatus = 'open'): Promise<boolean> {
    made += 1
    const row = { ...newRow, ...task, id: `new-${made}`, status, project_id: panel.filters.project }
    panel.activity.busy = true
    put(row)
    try {
      const body = { ...task, project_id: row.project_id, status }
      const created = await app.api.post<Task>(`/api/spaces/${space!.id}/tasks`, body)
      panel.groups = dropTask(panel.groups, row.id)
      put(created)
      return true
    } catch (error) {
      drop(row.id)
      app.toast(`Could not add ${quoteShown(task.title)}; it is back in the field. ${messageOf(error)}`, {
        tone: 'problem',
      })
      return false
    } finally {
      settle()
    }
  }

  function settle(): void {
    if (writes.busy() || panel.activity.asking) return
    panel.activity.busy = false
    // Deferred events. A failed refresh waits for the next event.
    refresh(() => panel.activity.busy).catch(() => {})
  }
}

const isGone = (error: unknown) => error instanceof ApiError && (error.status === 409 || error.status === 404)

function explain(error: unknown, title: string): string {
  if (!isGone(error)) return `Could not change ${quoteShown(title)}. ${messageOf(error)}`
  const what = error instanceof ApiError && error.status === 404 ? 'deleted' : 'changed'
  return `${quoteShown(title)} was ${what} in the meantime, so your change was not saved.`
}

const newRow: TaskRow = {
  id: '',
  space_id: '',
  version: 0,
  title: '',
  status: 'open',
  priority: 'normal',
  due_on: null,
  recurrence: null,
  remind_at: null,
  project_id: null,
  created_at: '',
  updated_at: '',
  created_by: 'owner',
  updated_by: 'owner',
  origin: 'owner',
  deleted_at: null,
}
