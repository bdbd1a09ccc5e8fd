import type { Task } from '../../lib/contract/entities/entities.ts'
import type { SpaceOverview } from '../../lib/contract/space/overview.ts'
import { quoteShown } from '../../lib/text/quote-name.ts'
import { messageOf } from '../api/api.ts'
import type { ViewContext } from '../app/view.ts'
import { type Child, el } from '../dom.ts'
import { entityHref, spaceHref } from '../entities/addresses.ts'
import { priorityNames } from '../entities/task-fields.ts'
import { dayText, dueState } from '../time.ts'
import { renderSection } from './section.ts'

/** Open tasks, the next due first; checking one marks it done. */
export function renderOpenTasks({ tasks }: SpaceOverview, context: ViewContext): Child {
  const { slug } = context.space!
  return renderSection(
    { id: 'home-tasks', title: 'Open tasks', href: `${spaceHref(slug)}/tasks` },
    tasks.length === 0
      ? el('p', { class: 'dim' }, 'No open tasks')
      : el(
          'ul',
          { class: 'rows' },
          tasks.map((task) => row(task, context)),
        ),
  )
}

function row(task: Task, context: ViewContext): HTMLElement {
  const { space, now } = context
  return el(
    'li',
    { class: 'row-item' },
    el('input', {
      class: 'check',
      type: 'checkbox',
      id: `done-${task.id}`,
      'aria-label': `Done: ${task.title}`,
      onchange: () => finish(task, context),
    }),
    el('a', { class: 'row-title', href: entityHref(space!.slug, 'task', task.id) }, task.title),
    task.priority === 'urgent' && el('span', { class: 'badge badge-red' }, priorityNames.urgent),
    task.priority === 'high' && el('span', { class: 'badge badge-amber' }, priorityNames.high),
    task.due_on && due(task.due_on, now),
  )
}

function due(date: string, now: Date): HTMLElement {
  const state = dueState(date, now)
  const tone = { overdue: 'badge-red', today: 'badge-amber', later: null }[state]
  const text = state === 'today' ? 'today' : dayText(date, now)
  return el(
    'time',
    { class: ['badge', tone], datetime: date, title: state === 'overdue' ? 'Overdue' : 'Due' },
    text,
  )
}

async function finish({ id, title, status, version }: Task, { app, refresh }: ViewContext): Promise<void> {
  try {
    const done = await app.api.patch<Task>(`/api/tasks/${id}`, { status: 'done', version })
    const undo = async () => {
      await app.api.patch(`/api/tasks/${id}`, { status, version: done.version })
      await refresh()
    }
    app.toast(`Marked ${quoteShown(title)} done.`, { action: { label: 'Undo', run: undo } })
  } catch (error) {
    app.toast(messageOf(error), { tone: 'problem' })
  }
  await refresh()
}
