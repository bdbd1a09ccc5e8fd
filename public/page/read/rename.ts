import type { Page } from '../../../lib/contract/entities.ts'
import { quoteShown } from '../../../lib/core/text/quote-name.ts'
import { messageOf } from '../../app/api/api.ts'
import type { ViewContext } from '../../app/view.ts'
import { editTitle } from '../../ui/components/title-editor.ts'
import { el } from '../../ui/dom.ts'
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
  const { label, box } = aliasChoice(data)
  if (label) root.querySelector('.page-title-row')?.after(label)
  editTitle(button, { title: page.title, name: 'page-title-field', choice: label, onEnd, signal })

  async function rename(title: string): Promise<void> {
    try {
      const renamed = await changePage(app, page, { title, ...(box.checked ? { keep_alias: true } : {}) })
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
      const { title, body } = page
      await changePage(app, renamed, { title, ...(box.checked ? { body } : {}) })
      await refresh()
    } catch (error) {
      app.toast(`Could not undo the rename. ${messageOf(error)}`, { tone: 'problem' })
    }
  }
}

/** What becomes of the links to a page, and whether its old name stays; no label where nothing links to it. */
function aliasChoice({ page, links: { backlinks } }: LivePage) {
  const box = el('input', { type: 'checkbox', id: 'keep-alias' })
  const what =
    backlinks.length === 1
      ? '1 item links here. Its link will be updated.'
      : `${backlinks.length} items link here. Their links will be updated.`
  const label =
    backlinks.length === 0
      ? null
      : el('label', { class: 'page-alias' }, what, box, `Keep ${quoteShown(page.title)} as an alias`)
  return { label, box }
}
