import { createPage } from '../../app/actions/create-page.ts'
import type { ViewContext } from '../../app/view.ts'
import { icon } from '../../ui/components/icon.ts'
import { type Child, el } from '../../ui/dom.ts'

/** What an empty Space shows: three ways to start. */
export function renderGettingStarted({ app, space }: ViewContext): Child {
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
