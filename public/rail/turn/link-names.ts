// The names in an answer as links: what is bold, and the titles of what it cites. The code of it comes with the first answer
// that has some.

import type { Citation } from '../../../lib/contract/events/events.ts'
import { linkLate } from '../../app/actions/link-late.ts'
import type { App } from '../../app/app.ts'
import { el } from '../../ui/dom.ts'
import { entityHref } from '../../ui/words/addresses.ts'
import type { Answer } from '../state/turn-state.ts'

const maxNames = 40
const maxLength = 200

/** What is quoted, and what is code, stays as it is. */
const untouched = 'a, blockquote, code, pre, button'

const linked = new Set(['page', 'task', 'project', 'ref', 'resource', 'source_doc'])

/** What is cited is known; the server is asked for other bold names, which stay so without its answer. */
export async function linkNames(
  app: App,
  element: HTMLElement,
  { text, citations }: Pick<Answer, 'text' | 'citations'>,
): Promise<void> {
  for (const citation of citations.slice(0, maxNames)) linkTitle(app, element, citation)
  const bold = [...element.querySelectorAll<HTMLElement>('strong')].filter((strong) => {
    const name = strong.textContent
    const isPlain = !strong.closest(untouched) && !strong.querySelector('a')
    return isPlain && name.length <= maxLength && /^[^[\]|#^\n]+$/.test(name)
  })
  await linkLate(app, element, text, bold.slice(0, maxNames))
}

/** The first place where a source is named in the words of the answer. */
function linkTitle(app: App, element: HTMLElement, { kind, id, title }: Citation): void {
  const { space } = app.state.get()
  const [name = ''] = title.split(' › ')
  if (!space || !id || !linked.has(kind) || name.trim().length < 3) return
  const href = entityHref(space.slug, kind, id)
  const words = document.createTreeWalker(element, NodeFilter.SHOW_TEXT)
  for (let node = words.nextNode(); node; node = words.nextNode()) {
    if (!(node instanceof Text) || node.parentElement?.closest(untouched)) continue
    const at = placeOf(node.data, name)
    if (at === -1) continue
    const named = node.splitText(at)
    named.splitText(name.length)
    named.replaceWith(el('a', { href, class: 'wikilink', title: name }, name))
    return
  }
}

/** Where a name stands as words of their own; -1: nowhere. */
function placeOf(text: string, name: string): number {
  const isWord = (character: string | undefined) => character !== undefined && /[\p{L}\p{N}]/u.test(character)
  for (let at = text.indexOf(name); at !== -1; at = text.indexOf(name, at + 1)) {
    if (!isWord(text[at - 1]) && !isWord(text[at + name.length])) return at
  }
  return -1
}
