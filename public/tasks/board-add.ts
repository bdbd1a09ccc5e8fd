import type { TaskStatus } from '../../lib/contract/entities/entities.ts'
import type { App } from '../app/app.ts'
import { statuses } from '../entities/task-fields.ts'
import type { QuickTask } from './parse-quick-task.ts'
import { readLine } from './quick-add.ts'

export type BoardAdd = {
  app: App
  /** Resolves to whether the task was created. */
  add(task: QuickTask, status: TaskStatus): Promise<boolean>
  signal: AbortSignal
}

/** The fields at the end of the columns: a task is created where it was written. */
export function mountBoardAdd(list: HTMLElement, { app, add, signal }: BoardAdd): void {
  list.addEventListener(
    'submit',
    async (event) => {
      event.preventDefault()
      const form = event.target instanceof HTMLElement ? event.target : null
      const status = statuses.find((each) => each === form?.dataset.status)
      const field = form?.querySelector('input')
      const line = field?.value.trim()
      if (!status || !field || !line) return
      field.value = ''
      if (await add(await readLine(line, app.now()), status)) return
      // The column was drawn again; what was typed in the meantime stays in front of the restored line.
      const again = document.querySelector<HTMLInputElement>(`#add-${status}`)
      if (again) again.value = [again.value, line].filter(Boolean).join(' ')
    },
    { signal },
  )
}
