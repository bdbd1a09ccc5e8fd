import type { Task } from '../../../lib/contract/entities/entities.ts'
import { quoteShown } from '../../../lib/text/quote-name.ts'
import { messageOf } from '../../app/api/api.ts'
import type { ViewContext } from '../../app/view.ts'
import { el } from '../../ui/dom.ts'
import { dayText, dueState } from '../../ui/time.ts'
import { entityHref } from '../../ui/words/addresses.ts'
import { priorityNames } from '../../ui/words/task-fields.ts'

type Shown = Pick<
  Task,
  'id' | 'title' | 'status' | 'priority' | 'due_on' | 'recurrence' | 'remind_at' | 'version'
>

/** `slug` is of its Space; `place`: said behind the title, such as the Space's name. */
export type TaskLine = { task: Shown; slug: string; place?: string }

/** Tasks, a line each; checking one marks it done. */
export const renderTaskLines = (lines: readonly TaskLine[], context: ViewContext): HTMLElement[] =>
  lines.map(({ task, slug, place }) =>
    el(
      'li',
      { class: 'row-item' },
      el('input', {
        class: 'check',
        type: 'checkbox',
        id: `done-${task.id}`,
        'aria-label': `Done: ${task.title}`,
        onchange: () => finish(task, context),
      }),
      el('a', { class: 'row-title', href: entityHref(slug, 'task', task.id) }, task.title),
      place && el('span', { class: 'dim small' }, place),
      task.priority === 'urgent' && el('span', { class: 'badge badge-red' }, priorityNames.urgent),
      task.priority === 'high' && el('span', { class: 'badge badge-amber' }, priorityNames.high),
      task.due_on && due(task.due_on, context.now),
    ),
  )

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

async function finish(
  { id, title, version, ...before }: Shown,
  { app, refresh }: ViewContext,
): Promise<void> {
  try {
    const done = await app.api.patch<Task>(`/api/tasks/${id}`, { status: 'done', version })
    const undo = async () => {
      const { status, due_on, recurrence, remind_at } = before
      await app.api.patch(`/api/tasks/${id}`, {
        status,
        due_on,
        recurrence,
        remind_at,
        version: done.version,
      })
      await refresh()
    }
    const next = done.status === 'done' ? null : done.due_on
    app.toast(`Marked ${quoteShown(title)} done.${next ? ` Next due ${dayText(next, app.now())}.` : ''}`, {
      action: { label: 'Undo', run: undo },
    })
  } catch (error) {
    app.toast(messageOf(error), { tone: 'problem' })
  }
  await refresh()
}
