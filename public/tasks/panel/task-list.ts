import type { TaskStatus } from '../../../lib/contract/entities/entities.ts'
import type { TaskRow } from '../../../lib/contract/space/task-groups.ts'
import { icon } from '../../ui/components/icon.ts'
import { type Child, el } from '../../ui/dom.ts'
import { isActive, statusNames } from '../../ui/words/task-fields.ts'
import type { TaskPanel } from './task-panel.ts'
import {
  dueButton,
  moreButton,
  priorityBadge,
  projectName,
  reminderBell,
  type TaskContext,
  titleLink,
} from './task-parts.ts'

/** Tasks by status. Closed ones are folded, unless they are filtered for. */
export function renderTaskList(panel: TaskPanel, context: TaskContext): Child {
  const { filters } = panel
  return panel.groups
    .filter(({ count }) => count > 0)
    .filter(({ status }) => isActive(status) || filters.due !== 'overdue')
    .map((group) => {
      const rows = el(
        'ul',
        { class: 'rows tasks' },
        group.items.map((task) => taskRow(task, panel, context)),
      )
      const more = moreButton(group)
      const name = heading(group.status, group.count)
      return isActive(group.status) || filters.status === group.status
        ? el('section', { class: 'task-group', 'aria-labelledby': `group-${group.status}` }, name, rows, more)
        : el(
            'details',
            { class: 'task-group', id: `fold-${group.status}` },
            el('summary', {}, icon('chevronRight'), name),
            rows,
            more,
          )
    })
}

const heading = (status: TaskStatus, count: number) =>
  el(
    'h2',
    { class: 'task-heading', id: `group-${status}` },
    statusNames[status],
    ' ',
    el('span', { class: 'dim' }, count),
  )

function taskRow(task: TaskRow, panel: TaskPanel, context: TaskContext): HTMLElement {
  const over = !isActive(task.status)
  return el(
    'li',
    {
      class: 'row-item task',
      'data-task': task.id,
      'data-id': task.version > 0 ? task.id : null,
      'data-over': over,
    },
    checkbox(task),
    titleLink(task, context, 'row-title'),
    priorityBadge(task),
    !panel.projectId && projectName(task, panel),
    reminderBell(task),
    dueButton(task, context),
    el(
      'button',
      {
        class: 'icon-button task-delete',
        type: 'button',
        tabindex: -1,
        'data-do': 'delete',
        'aria-label': `Delete ${task.title}`,
        title: 'Delete',
      },
      icon('trash'),
    ),
  )
}

function checkbox({ status, title }: TaskRow): HTMLElement {
  return el(
    'button',
    {
      class: 'task-check',
      type: 'button',
      role: 'checkbox',
      tabindex: -1,
      'aria-checked': status === 'done' ? 'true' : status === 'in_progress' ? 'mixed' : 'false',
      'aria-label': `Done: ${title}`,
      'data-do': 'toggle',
      'data-status': status,
    },
    status === 'done' && icon('check'),
    status === 'cancelled' && icon('close'),
  )
}
