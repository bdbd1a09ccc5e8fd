// The page as it is read: text in the middle, outline beside it, what is around it below.

import { entityHref, kindLabel } from '../addresses.ts'
import { icon, kindIcon } from '../components/icon.ts'
import { renderMenu } from '../components/menu.ts'
import { type Child, el } from '../dom.ts'
import { renderMarkdown } from '../markdown.ts'
import type { ViewContext } from '../view.ts'
import { splitProperties } from './front-matter.ts'
import { type Heading, headingsOf, withoutTitle } from './outline.ts'
import { pageActions } from './page-actions.ts'
import type { LivePage } from './page-data.ts'
import { renderCrumbs, renderMeta } from './page-head.ts'
import { renderProperties } from './properties.ts'

/** Headings that an outline lists; beyond that it helps nobody. */
const mostInOutline = 500

export function renderReadPage(data: LivePage, context: ViewContext): Child {
  const { page, links, place, embed } = data
  const { now } = context
  const space = context.space!
  const { properties, content } = splitProperties(page.body)
  const text = withoutTitle(content, page.title)
  const headings = headingsOf(text).slice(0, mostInOutline)
  const isEmpty = text.trim() === ''

  return el(
    'article',
    { class: 'page', 'aria-labelledby': 'page-title' },
    el(
      'header',
      { class: 'page-head' },
      renderCrumbs(space, place),
      el('div', { class: 'page-title-row' }, titleHeading(page.title), actions(data, context)),
      renderMeta(page, now),
    ),
    el('div', { class: 'page-notices', id: 'page-notices' }),
    el(
      'div',
      { class: 'page-columns' },
      headings.length > 1 && outlineFold(headings),
      el(
        'div',
        { class: 'page-main' },
        renderProperties(properties, { slug: space.slug, links: links.links }),
        isEmpty ? emptyText() : renderMarkdown(text, { slug: space.slug, links: links.links, embed }),
        around(data, context),
      ),
      headings.length > 1 && outlineBeside(headings),
    ),
  )
}

/** The title is a button: pressing it lets it be changed in place. */
const titleHeading = (title: string) =>
  el(
    'h1',
    { class: 'page-title', id: 'page-title' },
    el('button', { class: 'page-title-button', id: 'rename', type: 'button', title: 'Rename' }, title),
  )

function actions(data: LivePage, context: ViewContext): HTMLElement {
  const { app, url } = context
  return el(
    'div',
    { class: 'page-actions' },
    el(
      'a',
      { class: 'button button-small', id: 'edit-page', href: `${url.pathname}?edit=1`, title: 'Edit (e)' },
      icon('edit'),
      'Edit',
    ),
    renderMenu({ id: 'page-menu', label: 'More actions', items: pageActions(app, data, context) }),
  )
}

const emptyText = () =>
  el(
    'p',
    { class: 'page-empty' },
    'Nothing is written here yet. ',
    el('span', { class: 'key-hint' }, 'Press ', el('kbd', {}, 'E'), ' to begin.'),
  )

const outlineList = (headings: readonly Heading[]) => {
  const top = Math.min(...headings.map(({ depth }) => depth))
  return el(
    'ol',
    { class: 'outline-list' },
    headings.map(({ depth, text }, index) =>
      el(
        'li',
        { 'data-depth': Math.min(depth - top, 3) },
        el('a', { href: `#${encodeURIComponent(text)}`, 'data-heading': index }, text || 'Untitled'),
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

const outlineBeside = (headings: readonly Heading[]) =>
  el(
    'nav',
    { class: 'outline', 'aria-label': 'On this page' },
    el('h2', { class: 'outline-title' }, 'On this page'),
    outlineList(headings),
  )

/** What stands below the page in the tree, and what links to it. */
function around({ links, place }: LivePage, { space }: ViewContext): Child {
  const below = place.below.map(({ id, title }) => ({ entity_type: 'page', entity_id: id, title }))
  return [
    linkedList('page-below', 'Pages below', below, space!.slug),
    linkedList('backlinks', 'Linked from', links.backlinks, space!.slug),
  ]
}

type Linked = { entity_type: string; entity_id: string; title: string }

function linkedList(id: string, heading: string, items: readonly Linked[], slug: string): Child {
  if (items.length === 0) return null
  return el(
    'section',
    { class: 'page-around', 'aria-labelledby': id },
    el('h2', { id }, heading, el('span', { class: 'page-around-count' }, items.length)),
    el(
      'ul',
      { class: 'rows' },
      items.map(({ entity_type, entity_id, title }) =>
        el(
          'li',
          { class: 'row-item' },
          kindIcon(entity_type),
          el('a', { class: 'row-title', href: entityHref(slug, entity_type, entity_id) }, title),
          entity_type !== 'page' && el('span', { class: 'dim small' }, kindLabel(entity_type)),
        ),
      ),
    ),
  )
}
