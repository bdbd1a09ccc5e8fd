// The page in read mode: text in the middle, outline next to it, related pages below.

import type { Space, TitledEntity } from '../../../lib/contract/entities.ts'
import { maxLinks } from '../../../lib/contract/limits.ts'
import { splitFrontMatter } from '../../../lib/core/text/markdown.ts'
import { isFavourite, toggleFavourite } from '../../app/actions/favourites.ts'
import type { ViewContext } from '../../app/view.ts'
import { iconButton } from '../../ui/components/icon.ts'
import { renderMenu } from '../../ui/components/menu.ts'
import { type Child, el } from '../../ui/dom.ts'
import { renderMarkdown, textContext } from '../../ui/markdown/markdown.ts'
import { type Heading, headingsOf, withoutTitle } from '../../ui/markdown/outline.ts'
import { timeAgo } from '../../ui/time.ts'
import { graphHref } from '../../ui/words/addresses.ts'
import { backlinkCount, linkedRows } from '../../ui/words/linked-rows.ts'
import { actorName } from '../../ui/words/names.ts'
import { renderCrumbs } from '../data/crumbs.ts'
import type { LivePage } from '../data/page-data.ts'
import { pageActions } from './page-actions.ts'

/** Headings that the outline lists. */
const maxHeadings = 500

export function renderReadPage(data: LivePage, context: ViewContext): Child {
  const { page, links, properties, place, embed, renderProperties, drawing } = data
  const { now } = context
  const space = context.space!
  const { content } = splitFrontMatter(page.body)
  const text = withoutTitle(drawing?.notesOfDrawing(content) ?? content, page.title)
  const headings = headingsOf(text).slice(0, maxHeadings)
  const isEmpty = text.trim() === ''

  return el(
    'article',
    { class: 'page', 'aria-labelledby': 'page-title' },
    el(
      'header',
      { class: 'page-head' },
      renderCrumbs(space, place),
      el('div', { class: 'page-title-row' }, titleHeading(page.title), actions(data, context)),
      renderMeta(data, now),
    ),
    el('div', { class: 'page-notices', id: 'page-notices' }, links.truncated && tooManyLinks()),
    el(
      'div',
      { class: 'page-columns' },
      headings.length > 1 && outlineFold(headings),
      el(
        'div',
        { class: 'page-main' },
        renderProperties?.(properties, { slug: space.slug, links: links.links, now }),
        drawing?.renderDrawing(links.picture, page.title),
        isEmpty
          ? drawing
            ? el('div', { class: 'prose' })
            : emptyText()
          : renderMarkdown(text, {
              ...textContext(space, links),
              path: page.path,
              embed,
              folds: 'page',
              offersImages: true,
            }),
        renderRelated(data, context),
      ),
      headings.length > 1 && outlineColumn(headings),
    ),
  )
}

/** The title is a button: pressing it edits it in place. */
const titleHeading = (title: string) =>
  el(
    'h1',
    { class: 'page-title', id: 'page-title' },
    el('button', { class: 'page-title-button', id: 'rename', type: 'button', title: 'Rename' }, title),
  )

function actions(data: LivePage, context: ViewContext): HTMLElement {
  return el(
    'div',
    { class: 'page-actions' },
    favouriteButton(data.page, context),
    renderMenu({ id: 'page-menu', label: 'More actions', items: pageActions(data, context) }),
  )
}

/** A star that is filled while the page is one of the favourites. */
function favouriteButton({ id, title }: LivePage['page'], { app, space, signal }: ViewContext): HTMLElement {
  const button = iconButton('Favourite', 'star', () => toggleFavourite(app, space!, { id, title }), {
    class: 'icon-button favourite-button',
    id: 'favourite',
    'aria-pressed': isFavourite(app, id),
  })
  app.state.watch(
    () => isFavourite(app, id),
    (pressed) => button.setAttribute('aria-pressed', String(pressed)),
    signal,
  )
  return button
}

const emptyText = () =>
  el(
    'p',
    { class: 'page-empty' },
    'Empty page. Click here',
    el('span', { class: 'key-hint' }, ', or press ', el('kbd', {}, 'E'), ','),
    ' to write.',
  )

/** Steps below the highest heading, 3 at most. */
const stepOf = (headings: readonly Heading[]) => {
  const top = Math.min(...headings.map(({ depth }) => depth))
  return ({ depth }: Heading) => Math.min(depth - top, 3)
}

const outlineList = (headings: readonly Heading[]) => {
  const step = stepOf(headings)
  return el(
    'ol',
    { class: 'outline-list' },
    headings.map((heading, index) =>
      el(
        'li',
        { 'data-depth': step(heading) },
        el(
          'a',
          { href: `#${encodeURIComponent(heading.text)}`, 'data-heading': index },
          heading.text || 'Untitled',
        ),
      ),
    ),
  )
}

const outlineFold = (headings: readonly Heading[]) =>
  el(
    'details',
    { class: 'outline-fold', id: 'outline-fold' },
    el('summary', {}, 'On this page'),
    el('nav', { 'aria-label': 'On this page' }, outlineList(headings)),
  )

/** A tick for each heading in the margin; the words come with the pointer or the focus. */
const outlineColumn = (headings: readonly Heading[]) => {
  const step = stepOf(headings)
  return el(
    'nav',
    { class: 'outline', 'aria-label': 'On this page' },
    el(
      'div',
      { class: 'outline-words' },
      el('div', {}, el('h2', { class: 'outline-title' }, 'On this page'), outlineList(headings)),
    ),
    el(
      'div',
      { class: 'outline-ticks', 'aria-hidden': 'true' },
      headings.map((heading) => el('i', { 'data-depth': step(heading) })),
    ),
  )
}

/** The child pages, and what links to the page. */
function renderRelated({ page, links, place }: LivePage, { space }: ViewContext): Child {
  const below = place.below.map(({ id, title }) => ({ entity_type: 'page', entity_id: id, title }))
  return [
    linkedList('page-below', 'Child pages', below, { space, count: place.below_count.toLocaleString('en') }),
    linkedList('backlinks', 'Linked from', links.backlinks, { space, count: backlinkCount(links.backlinks) }),
    (links.backlinks.length > 0 || links.links.some(({ to_type }) => to_type === 'page')) &&
      el(
        'p',
        { class: 'page-graph-line' },
        el(
          'a',
          { class: 'page-graph', id: 'page-graph', href: graphHref(space!.slug, page.id) },
          'Graph around this page',
        ),
      ),
  ]
}

function linkedList(
  id: string,
  heading: string,
  items: readonly TitledEntity[],
  { space, count }: { space: Space | null; count: string },
): Child {
  if (items.length === 0) return null
  return el(
    'section',
    { class: 'page-around', 'aria-labelledby': id },
    el('h2', { id }, heading, el('span', { class: 'page-around-count' }, count)),
    linkedRows(items, space!.slug),
  )
}

const tooManyLinks = () =>
  el(
    'p',
    { class: 'notice' },
    `This page has more than ${maxLinks.toLocaleString('en-US')} links. Those behind them do not count as links to other pages, and do not follow when those are renamed.`,
  )

/** By an import it was not written: its dates are those of its file. */
const byWhom = (actor: string): string =>
  actor === 'system:import' ? ' · imported' : ` by ${actorName(actor)}`

/** Who edited it and when, who created it, and the file that it is. */
function renderMeta({ page, place }: LivePage, now: Date): HTMLElement {
  const isImported = page.updated_by === 'system:import'
  const created: Child =
    !isImported && (page.version > 1 || page.created_by !== page.updated_by)
      ? [' · created ', timeAgo(page.created_at, now), byWhom(page.created_by)]
      : null
  return el(
    'p',
    { class: 'page-meta' },
    isImported ? 'Last changed ' : page.version > 1 ? 'Edited ' : 'Created ',
    timeAgo(page.updated_at, now),
    byWhom(page.updated_by),
    created,
    page.path !== null && [' · ', metaButton('page-path', 'Change the path', page.path)],
    place.read_as !== null && [
      ' · ',
      metaButton('page-encoding', 'Read the file in another encoding', `read as ${place.read_as}`),
    ],
  )
}

const metaButton = (id: string, title: string, words: string) =>
  el('button', { class: 'page-meta-button', id, type: 'button', title }, words)
