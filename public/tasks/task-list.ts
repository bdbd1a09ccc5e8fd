import type { TaskStatus } from '../../lib/contract/entities.ts'
import type { TaskGroups, TaskRow } from '../../lib/contract/space/home.ts'
import { icon } from '../ui/components/icon.ts'
import { type Child, el } from '../ui/dom.ts'
import { dayText, dueState, exactTime, nearDay } from '../ui/time.ts'
import { entityHref } from '../ui/words/addresses.ts'
import { isActive, priorityNames, statusNames } from '../ui/words/names.ts'
import type { TaskPanel } from './task-panel.ts'

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

// Parts of a task that the list and the board share.

export type TaskContext = { slug: string; now: Date }

/** A button that loads the tasks of a group that are not shown; nothing where all are. */
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

/** A task that is being created has no address yet. */
export function titleLink(task: TaskRow, { slug }: TaskContext, name: string): HTMLElement {
  if (task.version === 0) return el('span', { class: [name, 'dim'] }, task.title)
  const href = entityHref(slug, 'task', task.id)
  return el('a', { class: [name, 'task-title'], id: `task-${task.id}`, href, draggable: 'false' }, task.title)
}

export const priorityBadge = ({ priority }: TaskRow): Child =>
  priority !== 'normal' && el('span', { class: 'badge' }, priorityNames[priority])

export function projectName({ project_id }: TaskRow, { projects }: TaskPanel): Child {
  const project = projects.find(({ id }) => id === project_id)
  return project && el('span', { class: 'task-project', title: project.title }, project.title)
}

/** A bell where a reminder is still to come; the due date has room for a day alone. */
export function reminderBell({ remind_at, status }: TaskRow): Child {
  if (remind_at === null || !isActive(status)) return null
  const text = `Reminder ${exactTime(remind_at)}`
  return el('span', { class: 'dim', role: 'img', 'aria-label': text, title: text }, icon('bell'))
}

/** The due date, in words when it is near; without one, a button to set it. */
export function dueButton(task: TaskRow, { now }: TaskContext): HTMLElement {
  const { due_on, recurrence, status } = task
  const state = due_on === null ? 'none' : isActive(status) ? dueState(due_on, now) : 'over'
  const day = due_on === null ? '' : dayText(due_on, now)
  const near = due_on === null ? '' : nearDay(due_on, now)
  const words = { none: '', over: day, later: near, today: 'Today', overdue: `Overdue · ${near}` }[state]
  return el(
    'button',
    {
      class: 'task-due',
      type: 'button',
      tabindex: -1,
      'data-do': 'due',
      'data-due': state,
      'aria-label':
        due_on === null
          ? `Set a due date for ${task.title}`
          : `Due ${words}${recurrence === null ? '' : ', repeats'}: ${task.title}`,
      title: [day || 'Due date', recurrence !== null && 'repeats'].filter(Boolean).join(', '),
    },
    recurrence !== null && icon('refresh'),
    state === 'none' ? icon('clock') : words,
  )
}
