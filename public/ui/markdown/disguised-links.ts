// Links that pretend to lead elsewhere than they do: beside each stands where it leads. The server writes that into the
// page; in a browser the code of it comes with the first text that has a link to elsewhere.

import { disguiseOf } from '../../../lib/core/text/links/disguise.ts'
import { el } from '../dom.ts'

export function nameDisguises(links: Iterable<HTMLAnchorElement>): void {
  for (const link of links) {
    const leads = disguiseOf(link.textContent, link.getAttribute('href') ?? '')
    const isNamed = link.nextElementSibling?.getAttribute('data-kind') === 'disguise'
    if (leads !== null && !isNamed) link.after(' ', disguiseMark(leads))
  }
}

const disguiseMark = (leads: string): HTMLElement =>
  el('span', { class: 'badge badge-amber', 'data-kind': 'disguise' }, `leads to ${leads}`)
