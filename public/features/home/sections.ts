import type { CardLine } from '../../../lib/contract/changes/card.ts'
import type { Task } from '../../../lib/contract/entities.ts'
import { countText } from '../../../lib/contract/limits.ts'
import { quoteShown } from '../../../lib/core/text/quote-name.ts'
import { messageOf } from '../../app/api/api.ts'
import type { ViewContext } from '../../app/view.ts'
import { type Child, el } from '../../ui/dom.ts'
import { dayText, dayTime, dueState, timeAgo } from '../../ui/time.ts'
import { entityHref } from '../../ui/words/addresses.ts'
import { priorityNames } from '../../ui/words/names.ts'

/** A section of Home: its heading, a link to all of it, its content. */
export function renderSection(
  { id, title, href, all }: { id: string; title: string; href?: string; all?: string },
  ...content: Child[]
): HTMLElement {
  return el(
    'section',
    { class: 'home-section', 'aria-labelledby': id },
    el(
      'div',
      { class: 'home-head' },
      el('h2', { id }, title),
      href && el('a', { class: 'home-all', href }, all ?? 'All'),
    ),
    content,
  )
}

type Line = Pick<CardLine, 'pending_change_id' | 'summary' | 'created_at'>

/** How many drafts wait, and some of them; nothing when there are none. */
export function renderDraftLines(count: number, lines: readonly Line[], now: Date): Child {
  if (count === 0) return null
  const title = count === 1 ? '1 pending draft' : `${countText(count)} pending drafts`
  return renderSection(
    { id: 'home-drafts', title, href: '/inbox', all: 'Inbox' },
    el(
      'ul',
      { class: 'rows home-drafts' },
      lines.map(({ pending_change_id, summary, created_at }) =>
        el(
          'li',
          { class: 'row-item' },
          el('a', { class: 'row-title', href: `/inbox/${pending_change_id}` }, summary),
          timeAgo(created_at, now),
        ),
      ),
    ),
  )
}

type DueTask = Pick<
  Task,
  'id' | 'title' | 'status' | 'priority' | 'due_on' | 'recurrence' | 'remind_at' | 'version'
>

/** `slug` is of its Space; `place`: said behind the title, such as the Space's name. */
export type TaskLine = { task: DueTask; slug: string; place?: string }

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
      task.priority === 'urgent' && el('span', { class: 'badge' }, priorityNames.urgent),
      task.priority === 'high' && el('span', { class: 'badge' }, priorityNames.high),
      task.due_on && due(task.due_on, context.now),
    ),
  )

function due(date: string, now: Date): HTMLElement {
  const state = dueState(date, now)
  const time = dayTime(date, now, state === 'overdue' ? 'Overdue since' : 'Due')
  time.setAttribute('data-due', state)
  return time
}

async function finish(
  { id, title, version, ...before }: DueTask,
  { app, refresh }: ViewContext,
): Promise<void> {
  try {
    const done = await app.api.patch<Task>(`/api/tasks/${id}`, {
      status: 'done',
      version,
    })
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
