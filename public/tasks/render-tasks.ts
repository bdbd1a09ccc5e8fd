// mount-panel.ts adds the listeners.

import type { TaskRow } from '../../lib/contract/space/home.ts'
import { icon } from '../ui/components/icon.ts'
import { type Child, el } from '../ui/dom.ts'
import { isActive, statusNames } from '../ui/words/names.ts'
import {
  dueButton,
  moreButton,
  priorityBadge,
  projectName,
  reminderBell,
  renderTaskList,
  type TaskContext,
  titleLink,
} from './task-list.ts'
import { isFiltered, type TaskPanel } from './task-panel.ts'

/** The list or the board; drawn again with every change. */
export function renderTasks(panel: TaskPanel, context: { slug: string; now: Date }): Child {
  const { filters, groups, projectId } = panel
  const visible = groups.filter(({ status }) => !filters.status || status === filters.status)
  if (filters.view === 'board' && !projectId) return renderBoard({ ...panel, groups: visible }, context)
  const none = visible.every(({ count }) => count === 0)
  return none ? emptyState(panel) : renderTaskList({ ...panel, groups: visible }, context)
}

function emptyState({ filters, projectId }: TaskPanel): HTMLElement {
  const filtered = isFiltered(projectId ? { ...filters, project: null } : filters)
  return el(
    'div',
    { class: 'empty' },
    filtered
      ? [
          el('p', {}, 'No tasks match these filters.'),
          el('button', { class: 'button', type: 'button', 'data-do': 'clear' }, 'Clear filters'),
        ]
      : el('p', {}, 'No tasks yet. Type one in the field above, or ask the companion.'),
  )
}

/**
 * A column for each status; cancelled tasks have theirs while one filters for them. A card is moved by dragging it, by
 * keys, or with its menu.
 */
function renderBoard(panel: TaskPanel, context: TaskContext): Child {
  const groups = panel.groups.filter(
    ({ status }) => status !== 'cancelled' || panel.filters.status === 'cancelled',
  )
  return el(
    'div',
    { class: 'board' },
    groups.map((group) => {
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
        isActive(status) && addField(status),
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
      reminderBell(task),
      dueButton(task, context),
      projectName(task, panel),
      menuButton(task),
    ),
  )
}

const menuButton = ({ id, title, version }: TaskRow): Child =>
  version > 0 &&
  el(
    'button',
    {
      class: 'icon-button board-menu',
      type: 'button',
      id: `menu-${id}`,
      tabindex: -1,
      'aria-haspopup': 'menu',
      'aria-label': `Actions for ${title}`,
      title: 'Actions',
      'data-do': 'menu',
    },
    icon('more'),
  )

/** A field that creates a task in its column with Enter. */
const addField = (status: TaskRow['status']): HTMLElement =>
  el(
    'form',
    { class: 'board-add', 'data-status': status },
    el('input', {
      class: 'board-add-field',
      id: `add-${status}`,
      type: 'text',
      maxlength: 500,
      autocomplete: 'off',
      placeholder: '+ Add',
      'aria-label': `New task, ${statusNames[status].toLowerCase()}`,
      enterkeyhint: 'done',
    }),
  )
