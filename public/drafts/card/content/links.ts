import type { LinkChange } from '../../../../lib/contract/changes/link-change.ts'
import { icon } from '../../../ui/components/icon.ts'
import { quoted } from '../../../ui/components/quoted.ts'
import { visible } from '../../../ui/components/visible.ts'
import { type Child, el } from '../../../ui/dom.ts'

/** The links that a change adds, removes or redirects: the whole target, never only its label. */
export function renderLinks(links: readonly LinkChange[]): Child {
  return (
    links.length > 0 &&
    el('ul', { class: 'card-links', 'aria-label': 'Changed links' }, links.map(renderLink))
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
      label !== '' && label !== (after ?? before) && [quoted(label, 300), ' '],
      kind === 'image' || kind === 'embed' ? `(${kind}) ` : '',
      before !== null && el('del', {}, visible(before)),
      before !== null && after !== null && [' ', icon('arrowRight'), ' '],
      after !== null && el('ins', {}, visible(after)),
    ),
  )
}
