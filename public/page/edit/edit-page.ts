// The editor of a page as the server paints it: a plain field, which the editor proper replaces once it has loaded.

import { splitFrontMatter } from '../../../lib/core/text/markdown.ts'
import type { ViewContext } from '../../app/view.ts'
import { icon } from '../../ui/components/icon.ts'
import { type Child, el } from '../../ui/dom.ts'
import { renderMarkdown } from '../../ui/markdown/markdown.ts'
import { withoutTitle } from '../../ui/markdown/outline.ts'
import { renderCrumbs } from '../data/crumbs.ts'
import type { LivePage } from '../data/page-data.ts'

export function renderEditPage({ page, links, place, embed }: LivePage, { space, url }: ViewContext): Child {
  return el(
    'section',
    { class: 'edit', 'aria-labelledby': 'edit-heading', 'data-pane': 'alone' },
    el('h1', { class: 'visually-hidden', id: 'edit-heading' }, `Editing ${page.title}`),
    el(
      'header',
      { class: 'edit-bar' },
      renderCrumbs(space!, place),
      el('span', { class: 'save-state', id: 'save-state', 'data-state': 'saved' }, 'Saved'),
      el(
        'button',
        {
          class: 'button button-small',
          id: 'preview-toggle',
          type: 'button',
          'aria-pressed': false,
          title: 'Preview beside the text (Ctrl+E)',
        },
        icon('book'),
        'Preview',
      ),
      el(
        'button',
        {
          class: 'button button-small',
          id: 'source-toggle',
          type: 'button',
          'aria-pressed': false,
          title: 'Markdown source (Ctrl+/)',
        },
        icon('edit'),
        'Source',
      ),
      el(
        'a',
        {
          class: 'button button-small button-primary',
          id: 'edit-done',
          href: url.pathname,
          title: 'Done (Esc)',
        },
        icon('check'),
        'Done',
      ),
    ),
    el('div', { class: 'page-notices', id: 'page-notices' }),
    el(
      'textarea',
      { class: 'page-title-field', id: 'edit-title', 'aria-label': 'Title', rows: 1, maxlength: 500 },
      page.title,
    ),
    el(
      'div',
      { class: 'edit-panes' },
      el(
        'div',
        { class: 'edit-source', id: 'edit-source' },
        el('textarea', { class: 'edit-plain', id: 'edit-plain', 'aria-label': 'Page text' }, page.body),
      ),
      el(
        'div',
        { class: 'edit-preview', id: 'edit-preview', role: 'region', 'aria-label': 'Preview', tabindex: 0 },
        renderMarkdown(withoutTitle(splitFrontMatter(page.body).content, page.title), {
          slug: space!.slug,
          links: links.links,
          embed,
        }),
      ),
    ),
  )
}
