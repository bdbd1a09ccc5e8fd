import type { TaskStatus } from '../../lib/contract/entities.ts'
import type { TaskGroups, TaskRow } from '../../lib/contract/task-groups.ts'
import { entityHref } from '../addresses.ts'
import { icon } from '../components/icon.ts'
import { type Child, el } from '../dom.ts'
import { dayText, dueState } from '../time.ts'
import type { TaskPanel } from './task-panel.ts'
import { isActive, priorityNames, statusNames } from './task-words.ts'

export type TaskContext = { slug: string; now: Date }

/** Tasks by status. Those that are over are folded, unless they are what was asked for. */
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

/** What is there and not shown, to be brought in by a press. */
export function moreButton({ status, count, items }: TaskGroups['groups'][number]): Child {
  const rest = count - items.length
  if (rest <= 0) return null
  const what = isActive(status) ? 'more-active' : 'more'
  return el(
    'button',
    { class: 'button button-small', type: 'button', id: `more-${status}`, 'data-do': what },
    `${rest} more`,
  )
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
    { class: 'row-item task', 'data-task': task.id, 'data-over': over },
    checkbox(task),
    titleLink(task, context, 'row-title'),
    priorityBadge(task),
    !panel.projectId && projectName(task, panel),
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

/** A task that is still being made has no address yet. */
export function titleLink(task: TaskRow, { slug }: TaskContext, name: string): HTMLElement {
  if (task.version === 0) return el('span', { class: [name, 'dim'] }, task.title)
  const href = entityHref(slug, 'task', task.id)
  return el('a', { class: [name, 'task-title'], id: `task-${task.id}`, href, draggable: 'false' }, task.title)
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

export const priorityBadge = ({ priority }: TaskRow): Child =>
  priority !== 'normal' &&
  el(
    'span',
    { class: ['badge', priority === 'urgent' && 'badge-red', priority === 'high' && 'badge-amber'] },
    priorityNames[priority],
  )

export function projectName({ project_id }: TaskRow, { projects }: TaskPanel): Child {
  const project = projects.find(({ id }) => id === project_id)
  return project && el('span', { class: 'task-project', title: project.title }, project.title)
}

/** The due date, in words where it presses; without one, the way to set one. */
export function dueButton(task: TaskRow, { now }: TaskContext): HTMLElement {
  const { due_on, status } = task
  const state = due_on === null ? 'none' : isActive(status) ? dueState(due_on, now) : 'over'
  const day = due_on === null ? '' : dayText(due_on, now)
  const words = { none: '', over: day, later: day, today: 'Today', overdue: `Overdue · ${day}` }[state]
  return el(
    'button',
    {
      class: 'task-due',
      type: 'button',
      tabindex: -1,
      'data-do': 'due',
      'data-due': state,
      'aria-label': due_on === null ? `Set a due date for ${task.title}` : `Due ${words}: ${task.title}`,
      title: 'Due date',
    },
    state === 'none' ? icon('clock') : words,
  )
}
