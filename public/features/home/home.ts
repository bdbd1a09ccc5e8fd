import type { Task } from '../../../lib/contract/entities.ts'
import { countText } from '../../../lib/contract/limits.ts'
import type { SpaceOverview } from '../../../lib/contract/space/home.ts'
import { openConversation } from '../../app/actions/threads.ts'
import { defineView, type ViewContext } from '../../app/view.ts'
import { type Child, el } from '../../ui/dom.ts'
import { dueState, timeAgo } from '../../ui/time.ts'
import { entityHref, spaceHref } from '../../ui/words/addresses.ts'
import { folderLine } from '../../ui/words/folder-line.ts'
import { renderAsk } from './ask.ts'
import { renderFirstSteps } from './first-steps.ts'
import { renderDraftLines, renderSection, renderTaskLines } from './sections.ts'

/** The home of a Space: a field to ask or write in, what waits and is due, and where one left off. Empty parts are not drawn. */
export const view = defineView<SpaceOverview>({
  layout: (_overview, { url }) => (url.searchParams.has('companion') ? 'wide' : 'alone'),
  load: ({ api, space }) => api.get(`/api/spaces/${space!.id}/overview`),
  title: (_overview, { space }) => space!.name,
  render(overview, context) {
    const space = context.space!
    const { companion } = context.app.state.get()
    const { imported: notes, decided: draft } = overview.steps
    // Before there are notes they are what a Home is for, later they are beside it.
    const steps = renderFirstSteps({ notes, model: companion?.agent.mode !== 'offline', draft }, context)
    return el(
      'div',
      { class: 'home' },
      el('h1', { class: 'visually-hidden' }, space.name),
      renderAsk(context),
      renderFolder(overview, context),
      renderArrivals(overview, context),
      renderThread(overview, context),
      !overview.steps.imported && steps,
      renderDraftLines(overview.drafts.count, overview.drafts.cards, context.now),
      renderDue(overview, context),
      isOwn(overview) && [
        el(
          'div',
          { class: 'home-columns' },
          renderRecent(overview, context),
          renderLinked(overview, context),
        ),
        renderFolders(overview, context),
      ],
      overview.steps.imported && steps,
    )
  },
  affectedBy: (event, _overview, { space }) =>
    (event.type === 'entity' || event.type === 'change') && event.data.space_id === space!.id,
})

/** Whether there is more than the guide. */
const isOwn = ({ recent_pages }: SpaceOverview): boolean => recent_pages.length > 0

/** Whether the connected folder is in step, in one quiet line. */
function renderFolder({ folder }: SpaceOverview, { now }: ViewContext): Child {
  if (!folder) return null
  return el(
    'p',
    { class: 'home-arrivals', id: 'home-folder', 'data-state': folder.state },
    el('a', { href: '/settings/folder' }, 'Folder'),
    ' ',
    folderLine(folder, now),
  )
}

/** Where what came in lately is from. */
function renderArrivals({ imported }: SpaceOverview, { now }: ViewContext): Child {
  if (!imported) return null
  const name = imported.source.split('/').findLast((part) => part !== '') ?? imported.source
  return el(
    'p',
    { class: 'home-arrivals' },
    'Imported from ',
    el('bdi', { title: imported.source }, name),
    ' ',
    timeAgo(imported.at, now),
    '. ',
    el('a', { href: '/settings/import' }, 'View report'),
  )
}

/** Open tasks, the next due first. */
function renderDue({ tasks }: SpaceOverview, context: ViewContext): Child {
  if (tasks.length === 0) return null
  const { slug } = context.space!
  const title = tasks.some((task) => isDue(task, context.now)) ? 'Due' : 'Open tasks'
  const lines = renderTaskLines(
    tasks.map((task) => ({ task, slug })),
    context,
  )
  return renderSection(
    { id: 'home-tasks', title, href: `${spaceHref(slug)}/tasks` },
    el('ul', { class: 'rows' }, lines),
  )
}

/** The pages that were written last. */
function renderRecent({ recent_pages }: SpaceOverview, { space, now }: ViewContext): Child {
  if (recent_pages.length === 0) return null
  const { slug } = space!
  return renderSection(
    { id: 'home-recent', title: 'Recently edited', href: `${spaceHref(slug)}/pages` },
    el(
      'ul',
      { class: 'rows' },
      recent_pages.map(({ id, title, updated_at }) =>
        el(
          'li',
          { class: 'row-item' },
          el('a', { class: 'row-title', href: entityHref(slug, 'page', id) }, title),
          timeAgo(updated_at, now),
        ),
      ),
    ),
  )
}

/** The thread that was used last, in one quiet line. */
function renderThread({ thread }: SpaceOverview, { app, space, now }: ViewContext): Child {
  if (!thread) return null
  const { id: space_id } = space!
  const open = () => openConversation(app, { space_id, entity_id: thread.id })
  return el(
    'p',
    { class: 'home-arrivals' },
    'Continue ',
    el(
      'button',
      { class: 'button button-quiet button-small', type: 'button', id: 'home-thread', onclick: open },
      el('bdi', {}, thread.title || 'Untitled thread'),
    ),
    ' ',
    timeAgo(thread.last_activity_at, now),
  )
}

type Counted = SpaceOverview['folders']

const renderLinked = ({ most_linked }: SpaceOverview, context: ViewContext): Child =>
  renderCounted(
    {
      id: 'home-linked',
      title: 'Most linked',
      words: 'links',
      href: `${spaceHref(context.space!.slug)}/graph`,
      all: 'Graph',
    },
    most_linked,
    context,
  )

const renderFolders = ({ folders }: SpaceOverview, context: ViewContext): Child =>
  renderCounted({ id: 'home-folders', title: 'Folders', words: 'pages' }, folders, context)

function renderCounted(
  { words, ...section }: { id: string; title: string; words: string; href?: string; all?: string },
  items: Counted,
  { space }: ViewContext,
): Child {
  if (items.length === 0) return null
  return renderSection(
    section,
    el(
      'ul',
      { class: 'rows' },
      items.map(({ id, title: name, count }) =>
        el(
          'li',
          { class: 'row-item' },
          el('a', { class: 'row-title', href: entityHref(space!.slug, 'page', id) }, name),
          el('span', { class: 'dim small', title: `${countText(count)} ${words}` }, countText(count)),
        ),
      ),
    ),
  )
}

const isDue = ({ due_on }: Task, now: Date): boolean => due_on !== null && dueState(due_on, now) !== 'later'
