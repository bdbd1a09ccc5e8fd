import type { Space, Task } from '../../../lib/contract/entities.ts'
import { countText } from '../../../lib/contract/limits.ts'
import type { SpaceOverview } from '../../../lib/contract/space/home.ts'
import { openConversation } from '../../app/actions/conversation.ts'
import { createPage } from '../../app/actions/create-page.ts'
import { defineView, type ViewContext } from '../../app/view.ts'
import { dailyHref } from '../../page/notes/daily-note.ts'
import { icon, kindIcon } from '../../ui/components/icon.ts'
import { type Child, el } from '../../ui/dom.ts'
import { dueState, timeAgo } from '../../ui/time.ts'
import { entityHref, kindNames, spaceHref } from '../../ui/words/addresses.ts'
import { renderDraftLines, renderSection, renderTaskLines } from './sections.ts'

/** The home of a Space: pending drafts, what is due today, open tasks, and where one left off. */
export const view = defineView<SpaceOverview>({
  layout: 'wide',
  load: ({ api, space }) => api.get(`/api/spaces/${space!.id}/overview`),
  title: (_overview, { space }) => space!.name,
  render(overview, context) {
    const space = context.space!
    const empty = Object.values(overview.counts).every((count) => count === 0)
    return el(
      'div',
      { class: 'home' },
      el(
        'header',
        { class: 'view-head' },
        el('h1', {}, space.name),
        space.description && el('p', { class: 'dim' }, space.description),
        counts(space, overview),
      ),
      renderDraftLines(overview.drafts.count, overview.drafts.cards, context.now),
      empty
        ? renderGettingStarted(context)
        : el(
            'div',
            { class: 'home-columns' },
            el(
              'div',
              { class: 'home-column' },
              renderToday(overview, context),
              renderOpenTasks(overview, context),
            ),
            el('div', { class: 'home-column' }, renderContinue(overview, context)),
          ),
    )
  },
  affectedBy: (event, _overview, { space }) =>
    (event.type === 'entity' || event.type === 'change') && event.data.space_id === space!.id,
})

function counts({ slug }: Space, overview: SpaceOverview): Child {
  const links = Object.entries(kindNames).flatMap(([type, { path, one, many }]) => {
    const count = overview.counts[type] ?? 0
    if (count === 0) return []
    const label = `${countText(count)} ${(count === 1 ? one : many).toLowerCase()}`
    return [el('a', { class: 'home-count', href: `${spaceHref(slug)}/${path}` }, label)]
  })
  return links.length > 0 && el('p', { class: 'home-counts' }, links)
}

/** What an empty Space shows: three ways to start. */
function renderGettingStarted({ app, space }: ViewContext): Child {
  return el(
    'section',
    { class: 'beginning' },
    el('h2', {}, 'This Space is empty'),
    el('p', { class: 'dim' }, 'Create a page, import your notes, or ask the companion.'),
    el(
      'div',
      { class: 'row' },
      el(
        'button',
        { class: 'button button-primary', type: 'button', onclick: () => createPage(app, space!, null) },
        icon('plus'),
        'New page',
      ),
      el('a', { class: 'button', href: '/settings/import' }, icon('upload'), 'Import notes'),
      el(
        'button',
        { class: 'button', type: 'button', onclick: () => app.panels.toggleRail(true) },
        icon('companion'),
        'Ask the companion',
      ),
    ),
  )
}

/** The thread and the pages used last; all that an import brought in is one line. */
function renderContinue(
  { recent_pages, imported, thread }: SpaceOverview,
  { app, space, now }: ViewContext,
): Child {
  const { id: space_id, slug } = space!
  const open = (id: string) => openConversation(app, { space_id, entity_id: id })
  return renderSection(
    { id: 'home-continue', title: 'Continue', href: `${spaceHref(slug)}/pages` },
    !thread && recent_pages.length === 0 && !imported
      ? el('p', { class: 'dim' }, 'No pages yet')
      : el(
          'ul',
          { class: 'rows' },
          thread &&
            el(
              'li',
              { class: 'row-item' },
              kindIcon('conversation'),
              el(
                'button',
                { class: 'row-title', type: 'button', id: 'home-thread', onclick: () => open(thread.id) },
                thread.title || 'Untitled thread',
              ),
              timeAgo(thread.last_activity_at, now),
            ),
          recent_pages.map(({ id, title, updated_at }) =>
            el(
              'li',
              { class: 'row-item' },
              kindIcon('page'),
              el('a', { class: 'row-title', href: entityHref(slug, 'page', id) }, title),
              timeAgo(updated_at, now),
            ),
          ),
          imported &&
            el(
              'li',
              { class: 'row-item' },
              icon('upload'),
              el(
                'a',
                { class: 'row-title', href: `${spaceHref(slug)}/pages` },
                imported.count === 1 ? '1 imported page' : `${countText(imported.count)} imported pages`,
              ),
              timeAgo(imported.at, now),
            ),
        ),
  )
}

/** What is overdue or due today, and the note of the day. */
function renderToday({ tasks }: SpaceOverview, context: ViewContext): Child {
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
function renderOpenTasks({ tasks }: SpaceOverview, context: ViewContext): Child {
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
