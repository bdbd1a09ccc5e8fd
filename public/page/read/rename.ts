import type { Page } from '../../../lib/contract/entities/entities.ts'
import { quoteShown } from '../../../lib/text/quote-name.ts'
import { messageOf } from '../../api/api.ts'
import type { ViewContext } from '../../app/view.ts'
import { editTitle } from '../../components/title-editor.ts'
import { changePage } from '../data/change-page.ts'
import type { LivePage } from '../data/page-data.ts'

/** Edits the title of the page in place and saves it; the toast can undo that. */
export function startRename(root: HTMLElement, data: LivePage, context: ViewContext): void {
  const { page } = data
  const { app, signal, refresh } = context
  const button = root.querySelector<HTMLButtonElement>('#rename')
  const onEnd = (title: string | null) => {
    data.held = false
    if (title !== null) void rename(title)
    else if (!signal.aborted) refresh().catch(() => {})
  }
  data.held = true
  editTitle(button, { title: page.title, name: 'page-title-field', onEnd, signal })

  async function rename(title: string): Promise<void> {
    try {
      const renamed = await changePage(app, page, { title })
      app.toast(`Renamed to ${quoteShown(renamed.title)}.`, {
        action: { label: 'Undo', run: () => undo(renamed) },
      })
      await refresh()
    } catch (error) {
      if (button) button.textContent = page.title
      app.toast(`Could not rename the page to ${quoteShown(title)}. ${messageOf(error)}`, { tone: 'problem' })
    }
  }

  async function undo(renamed: Page): Promise<void> {
    try {
      await changePage(app, renamed, { title: page.title })
      await refresh()
    } catch (error) {
      app.toast(`Could not undo the rename. ${messageOf(error)}`, { tone: 'problem' })
    }
  }
}
