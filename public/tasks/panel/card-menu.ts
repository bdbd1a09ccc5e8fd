import type { TaskRow } from '../../../lib/contract/space/task-groups.ts'
import type { MenuItem } from '../../ui/components/menu.ts'
import { openMenu } from '../../ui/components/open-menu.ts'
import { isActive, statuses, statusNames } from '../../ui/words/task-fields.ts'
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
