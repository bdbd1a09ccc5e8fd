// The links of a text that came without them, such as an answer: what leads somewhere in the Space becomes a link, with the
// title of that. The code of it comes with the first text that has such a link.

import type { Link } from '../../../lib/contract/entities.ts'
import { el } from '../../ui/dom.ts'
import { createLinkFinder, missingTitle } from '../../ui/markdown/links.ts'
import { entityHref } from '../../ui/words/addresses.ts'
import type { App } from '../app.ts'

/** `names`: elements of the text whose words are names. Without an answer of the server the text stays as it is. */
export async function linkLate(
  app: App,
  element: HTMLElement,
  text: string,
  names: readonly HTMLElement[] = [],
): Promise<void> {
  const { space } = app.state.get()
  const missing = [...element.querySelectorAll<HTMLElement>('span.wikilink-missing')]
  if (!space || missing.length + names.length === 0) return
  const asked = [text, ...names.map(({ textContent }) => `[[${textContent}]]`)].join('\n')
  const { items } = await app.api
    .post<{ items: Link[] }>(`/api/spaces/${space.id}/text-links`, { text: asked })
    .catch(() => ({ items: [] }))
  const finder = createLinkFinder(items)
  const linkTo = (aim: Parameters<typeof finder.find>[0], words: Iterable<Node>): HTMLElement | null => {
    const link = finder.find(aim)
    if (!link?.to_type || !link.to_id) return null
    const hash = link.heading ? `#${encodeURIComponent(link.heading)}` : ''
    const href = entityHref(space.slug, link.to_type, link.to_id) + hash
    return el('a', { href, class: 'wikilink', title: link.to_title }, ...words)
  }
  for (const name of names) {
    const link = linkTo({ form: 'wiki', target: name.textContent }, name.childNodes)
    if (link) name.replaceChildren(link)
  }
  for (const span of missing) {
    if (!span.title.startsWith(missingTitle)) continue
    const target = span.title.slice(missingTitle.length)
    const form = span.dataset.form === 'path' ? 'path' : 'wiki'
    const link = linkTo({ form, target }, span.childNodes)
    if (link) span.replaceWith(link)
  }
}
