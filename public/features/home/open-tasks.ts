import type { Task } from '../../../lib/contract/entities/entities.ts'
import type { SpaceOverview } from '../../../lib/contract/space/overview.ts'
import type { ViewContext } from '../../app/view.ts'
import { dailyHref } from '../../page/notes/daily-note.ts'
import { icon } from '../../ui/components/icon.ts'
import { type Child, el } from '../../ui/dom.ts'
import { dueState } from '../../ui/time.ts'
import { spaceHref } from '../../ui/words/addresses.ts'
import { renderSection } from './section.ts'
import { renderTaskLines } from './task-lines.ts'

/** What is overdue or due today, and the note of the day. */
export function renderToday({ tasks }: SpaceOverview, context: ViewContext): Child {
  const { slug } = context.space!
  return renderSection(
    { id: 'home-today', title: 'Today', href: '/today', all: 'All Spaces' },
    el(
      'ul',
      { class: 'rows' },
      renderTaskLines(
        tasks.filter((task) => isDue(task, context.now)).map((task) => ({ task, slug })),
        context,
      ),
      el(
        'li',
        { class: 'row-item' },
        icon('page'),
        el('a', { class: 'row-title', href: dailyHref(slug) }, 'Today’s note'),
      ),
    ),
  )
}

/** The other open tasks, the next due first. */
export function renderOpenTasks({ tasks }: SpaceOverview, context: ViewContext): Child {
  const { slug } = context.space!
  const later = tasks.filter((task) => !isDue(task, context.now))
  if (later.length === 0 && tasks.length > 0) return null
  return renderSection(
    { id: 'home-tasks', title: 'Open tasks', href: `${spaceHref(slug)}/tasks` },
    later.length === 0
      ? el('p', { class: 'dim' }, 'No open tasks')
      : el(
          'ul',
          { class: 'rows' },
          renderTaskLines(
            later.map((task) => ({ task, slug })),
            context,
          ),
        ),
  )
}

const isDue = ({ due_on }: Task, now: Date): boolean => due_on !== null && dueState(due_on, now) !== 'later'
