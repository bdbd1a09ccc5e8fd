import { quoteShown } from '../../../lib/core/text/quote-name.ts'
import { messageOf } from '../../app/api/api.ts'
import type { ViewContext } from '../../app/view.ts'
import { el } from '../../ui/dom.ts'
import { missingTitle } from '../../ui/markdown/links.ts'
import { entityHref } from '../../ui/words/addresses.ts'
import type { LivePage } from '../data/page-data.ts'

/** A link to a page that does not exist is a button that creates it. */
export function offerToCreate(root: HTMLElement, { page }: LivePage, { app, space }: ViewContext): void {
  for (const missing of root.querySelectorAll<HTMLElement>('.prose .wikilink-missing')) {
    const title = missing.title.startsWith(missingTitle) ? missing.title.slice(missingTitle.length) : ''
    // A path names a file that was not imported, not a page.
    if (title === '' || missing.closest('a')) continue
    const button = el(
      'button',
      {
        class: 'wikilink-missing',
        type: 'button',
        title: `Page ${quoteShown(title)} does not exist. Create it`,
        onclick: async () => {
          button.disabled = true
          try {
            const made = await app.api.post<{ id: string }>(`/api/spaces/${space!.id}/pages`, {
              title,
              body: '',
              parent_id: page.parent_id,
            })
            await app.navigate(`${entityHref(space!.slug, 'page', made.id)}?edit=1`)
          } catch (error) {
            button.disabled = false
            app.toast(`Could not create ${quoteShown(title)}. ${messageOf(error)}`, { tone: 'problem' })
          }
        },
      },
      // No words of its own: what is read, copied and cited here is the text.
      ...missing.childNodes,
    )
    missing.replaceWith(button)
  }
}
