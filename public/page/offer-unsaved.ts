import type { Page } from '../../lib/contract/entities.ts'
import { showDialog } from '../components/dialog.ts'
import { el } from '../dom.ts'
import { timeAgo } from '../time.ts'
import type { ViewContext } from '../view.ts'
import { mergeOutlook } from './merge-outlook.ts'
import { showNotice } from './notice.ts'
import type { LivePage } from './page-data.ts'
import { renderSides } from './sides.ts'
import { differs, type KeptText, keptTexts } from './unsaved.ts'

/** Offers, above the page that is read, what is kept of it on this device. */
export async function offerUnsaved(
  box: HTMLElement,
  { page }: LivePage,
  context: ViewContext,
): Promise<void> {
  for (const kept of await keptTexts(page.id)) {
    if (context.signal.aborted) return
    if (differs(kept.text, page)) offer(box, { page, kept }, context)
    else kept.clear()
  }
}

type Offer = { page: Page; kept: KeptText }

function offer(box: HTMLElement, { page, kept }: Offer, context: ViewContext): void {
  const { app, url, now } = context
  const { text } = kept
  const moved = text.version !== page.version
  const go = moved ? 'Merge and go on' : 'Continue writing'
  const notice = showNotice(box, {
    tone: 'amber',
    add: true,
    text: [
      'You have text for this page that is only on this device, from ',
      timeAgo(text.at, now),
      moved ? '. The page has been changed since.' : '.',
    ],
    actions: [
      { label: go, run: resume },
      { label: 'Compare', run: compare },
      { label: 'Discard', run: discard },
    ],
  })

  /** The editor takes up the newest of what is kept; where the page has moved on, it asks how to bring both together. */
  async function resume(): Promise<void> {
    kept.write({ ...text, at: app.now().toISOString() })
    await app.navigate(`${url.pathname}?edit=1`)
  }

  function compare(): void {
    const dialog = showDialog(
      { title: 'The page, and what is on this device', name: 'conflict' },
      moved && el('p', { class: 'dim small' }, mergeOutlook(text.base?.body ?? null, text, page)),
      renderSides({ title: 'The page', fields: page }, { title: 'On this device', fields: text }),
      el(
        'div',
        { class: 'row' },
        el(
          'button',
          {
            class: 'button button-primary',
            type: 'button',
            onclick: () => {
              dialog.close()
              resume()
            },
          },
          go,
        ),
        el('button', { class: 'button', type: 'button', onclick: () => dialog.close() }, 'Close'),
      ),
    )
  }

  function discard(): void {
    kept.clear()
    notice.remove()
    const run = () => {
      kept.write(text)
      offer(box, { page, kept }, context)
    }
    app.toast('The text on this device is discarded.', { action: { label: 'Undo', run } })
  }
}
