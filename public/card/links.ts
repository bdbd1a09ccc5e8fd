import type { LinkChange } from '../../lib/contract/card.ts'
import { icon } from '../components/icon.ts'
import { visible } from '../components/visible.ts'
import { type Child, el } from '../dom.ts'

/** Where links lead that come, go or change: the whole target, never only its label. */
export function renderLinks(links: readonly LinkChange[]): Child {
  return (
    links.length > 0 &&
    el('ul', { class: 'card-links', 'aria-label': 'Links that change' }, links.map(renderLink))
  )
}

function renderLink({ kind, label, before, after, hosts }: LinkChange): HTMLElement {
  const moved = hosts.after !== null && hosts.before !== hosts.after && before !== null
  return el(
    'li',
    { 'data-moved': moved },
    icon('link'),
    el(
      'span',
      {},
      label !== '' && label !== (after ?? before) && [el('q', { dir: 'auto' }, visible(label)), ' '],
      kind === 'image' || kind === 'embed' ? `(${kind}) ` : '',
      before !== null && el('del', {}, visible(before)),
      before !== null && after !== null && [' ', icon('arrowRight'), ' '],
      after !== null && el('ins', {}, visible(after)),
    ),
  )
}
