import type { TaskStatus } from '../../../lib/contract/entities/entities.ts'
import type { App } from '../../app/app.ts'
import { parseQuickTask, type QuickTask } from '../../app/parse-quick-task.ts'

/** Resolves to whether the task was created. */
type Add = (task: QuickTask, status: TaskStatus) => Promise<boolean>

/** Creates the task that is written at the end of a column. */
export async function addToColumn(
  form: HTMLFormElement,
  status: TaskStatus,
  { app, add }: { app: App; add: Add },
): Promise<void> {
  const field = form.querySelector('input')
  const line = field?.value.trim()
  if (!field || !line) return
  field.value = ''
  if (await add(parseQuickTask(line, app.now()), status)) return
  // The column was drawn again; what was typed in the meantime stays in front of the restored line.
  const again = document.querySelector<HTMLInputElement>(`#add-${status}`)
  if (again) again.value = [again.value, line].filter(Boolean).join(' ')
}
