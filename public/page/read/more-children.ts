// The children of a page behind the first part, which is drawn with it.

import { toastFailure } from '../../app/actions/toast-failure.ts'
import { loadLevels } from '../../app/tree-levels.ts'
import type { ViewContext } from '../../app/view.ts'
import { el } from '../../ui/dom.ts'
import { plainRows } from '../../ui/words/linked-rows.ts'
import type { LivePage } from '../data/page-data.ts'

/** Adds a button that shows the next part; it goes with the last one. */
export function addMoreChildren(root: HTMLElement, { page, place }: LivePage, context: ViewContext): void {
  const { app, space } = context
  const section = root.querySelector('section[aria-labelledby="page-below"]')
  const folded = section?.querySelector('details')
  const rows = folded?.querySelector('.rows')
  if (!section || !folded || !rows) return
  const inWords = (count: number) => count.toLocaleString('en')
  const unloaded = place.below_count - place.below.length
  folded.querySelector('summary')!.textContent = `${inWords(rows.childElementCount + unloaded)} more`
  let from = place.below.length
  const button = el('button', {
    class: 'button button-small',
    type: 'button',
    onclick: () => toastFailure(app, showNext()),
  })
  sayLeft(unloaded)
  rows.after(button)

  async function showNext(): Promise<void> {
    const [level] = await loadLevels(app.api, space!.id, { below: page.id, from })
    if (!level) return
    // The last part is as long as the others, and begins before what is missing.
    const items = level.pages
      .slice(from - level.from)
      .map(({ id, title }) => ({ entity_type: 'page' as const, entity_id: id, title }))
    const added = plainRows(items, space!.slug)
    const first = added.querySelector('a')
    rows!.append(...added.children)
    first?.focus()
    from += items.length
    sayLeft(items.length === 0 ? 0 : level.count - from)
  }

  function sayLeft(count: number): void {
    button.textContent = `Show more (${inWords(count)} left)`
    if (count <= 0) button.remove()
  }
}
