import { icon } from '../components/icon.ts'
import { type Child, el } from '../dom.ts'
import { createPage } from '../frame/tree.ts'
import type { ViewContext } from '../view.ts'

/** What an empty Space shows: three ways to begin. */
export function renderBeginning({ app, space }: ViewContext): Child {
  return el(
    'section',
    { class: 'beginning' },
    el('h2', {}, 'Nothing is here yet'),
    el(
      'p',
      { class: 'dim' },
      'Write a page, bring in the notes you have, or tell the companion what this Space is for.',
    ),
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
        { class: 'button', type: 'button', onclick: () => app.toggleRail(true) },
        icon('companion'),
        'Ask the companion',
      ),
    ),
  )
}
