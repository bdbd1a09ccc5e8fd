import type { TaskStatus } from '../../lib/contract/entities.ts'
import type { TaskRow } from '../../lib/contract/space/home.ts'
import type { App } from '../app/app.ts'
import { parseQuickTask, type QuickTask } from '../app/parse-quick-task.ts'
import { type MenuItem, openMenu } from '../ui/components/menu.ts'
import { isActive, statuses, statusNames } from '../ui/words/names.ts'
import type { TaskActions } from './task-actions.ts'

/** What can be done to the task of a card, at its button. */
export function openCardMenu(button: HTMLElement, task: TaskRow, actions: TaskActions): void {
  const { id, title } = task
  const moves = statuses.map(
    (status): MenuItem => ({
      label: statusNames[status],
      icon: status === 'cancelled' ? 'close' : isActive(status) ? 'task' : 'check',
      checked: status === task.status,
      run: () => actions.setStatus(id, status),
    }),
  )
  openMenu(button, {
    label: `Actions for ${title}`,
    items: [
      ...moves,
      { label: 'Set due date', icon: 'clock', key: 'D', run: () => actions.askDue(id) },
      { label: 'Next priority', icon: 'arrowUp', key: 'P', run: () => actions.raise(id) },
      { label: 'Move to trash', icon: 'trash', danger: true, run: () => actions.remove(id) },
    ],
  })
}

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
