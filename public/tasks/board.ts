import type { TaskStatus } from '../../lib/contract/entities/entities.ts'
import type { TaskRow } from '../../lib/contract/space/task-groups.ts'
import { type Child, el } from '../dom.ts'
import { isActive, statuses, statusNames } from '../entities/task-fields.ts'
import type { TaskPanel } from './task-panel.ts'
import {
  dueButton,
  moreButton,
  priorityBadge,
  projectName,
  type TaskContext,
  titleLink,
} from './task-parts.ts'

/** A column for each status. A card is moved by dragging it, by keys, or with its menu. */
export function renderBoard(panel: TaskPanel, context: TaskContext): Child {
  return el(
    'div',
    { class: 'board' },
    panel.groups.map((group) => {
      const { status, count, items } = group
      return el(
        'section',
        { class: 'board-column', 'data-status': status, 'aria-labelledby': `column-${status}` },
        el(
          'h2',
          { class: 'task-heading', id: `column-${status}` },
          statusNames[status],
          ' ',
          el('span', { class: 'dim' }, count),
        ),
        el(
          'ul',
          { class: 'board-cards' },
          items.map((task) => card(task, panel, context)),
        ),
        moreButton(group),
      )
    }),
  )
}

function card(task: TaskRow, panel: TaskPanel, context: TaskContext): HTMLElement {
  return el(
    'li',
    { class: 'board-card', 'data-task': task.id, 'data-over': !isActive(task.status), draggable: 'true' },
    titleLink(task, context, 'board-title'),
    el(
      'div',
      { class: 'board-meta' },
      priorityBadge(task),
      dueButton(task, context),
      projectName(task, panel),
      statusChoice(task),
    ),
  )
}

const statusChoice = ({ id, title, status }: TaskRow) =>
  el(
    'select',
    {
      class: 'board-status',
      id: `status-${id}`,
      tabindex: -1,
      'aria-label': `Status of ${title}`,
      'data-do': 'status',
    },
    statuses.map((each: TaskStatus) =>
      el('option', { value: each, selected: each === status }, statusNames[each]),
    ),
  )
