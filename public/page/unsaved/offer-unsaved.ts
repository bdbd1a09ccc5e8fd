import type { Page } from '../../../lib/contract/entities.ts'
import type { ViewContext } from '../../app/view.ts'
import { showDialog } from '../../ui/components/dialog.ts'
import { type Child, el, flatten } from '../../ui/dom.ts'
import { timeAgo } from '../../ui/time.ts'
import type { LivePage } from '../data/page-data.ts'
import { describeMerge } from './merge-with-markers.ts'
import { renderSides } from './side-by-side.ts'
import { differs, loadUnsaved, type StoredText } from './unsaved-text.ts'

/** Offers, above the page, unsaved changes that are stored on this device. */
export async function offerUnsaved(
  box: HTMLElement,
  { page }: LivePage,
  context: ViewContext,
): Promise<void> {
  for (const copy of await loadUnsaved(page.id)) {
    if (context.signal.aborted) return
    if (differs(copy.text, page)) offer(box, { page, copy }, context)
    else copy.clear()
  }
}

type Offer = { page: Page; copy: StoredText }

function offer(box: HTMLElement, { page, copy }: Offer, context: ViewContext): void {
  const { app, url, now } = context
  const { text } = copy
  const moved = text.version !== page.version
  const go = moved ? 'Merge and edit' : 'Continue editing'
  const notice = showNotice(box, {
    tone: 'amber',
    add: true,
    text: [
      'This device has unsaved changes to this page from ',
      timeAgo(text.at, now),
      moved ? '. The page has changed since.' : '.',
    ],
    actions: [
      { label: go, run: resume },
      { label: 'Compare', run: compare },
      { label: 'Discard', run: discard },
    ],
  })

  /** The editor restores the newest stored text; where the page has changed since, it asks which version to keep. */
  async function resume(): Promise<void> {
    copy.write({ ...text, at: app.now().toISOString() })
    await app.navigate(`${url.pathname}?edit=1`)
  }

  function compare(): void {
    const dialog = showDialog(
      { title: 'Compare versions', name: 'conflict' },
      moved && el('p', { class: 'dim small' }, describeMerge(text.base?.body ?? null, text, page)),
      renderSides({ title: 'Saved page', fields: page }, { title: 'On this device', fields: text }),
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
    copy.clear()
    notice.remove()
    const run = () => {
      copy.write(text)
      offer(box, { page, copy }, context)
    }
    app.toast('Discarded the unsaved changes on this device.', { action: { label: 'Undo', run } })
  }
}

export type Notice = {
  tone: 'plain' | 'amber' | 'red'
  text: Child
  actions?: readonly { label: string; run: () => void }[]
  /** Beside those that are there, instead of in their place. */
  add?: boolean
}

/** Shows a message with what to do about it above the page. One in red is read out at once. */
export function showNotice(box: HTMLElement, { tone, text, actions = [], add = false }: Notice): HTMLElement {
  const notice = el(
    'div',
    { class: ['page-notice', `page-notice-${tone}`], role: tone === 'red' ? 'alert' : 'status' },
    el('p', {}, text),
    el(
      'div',
      { class: 'row' },
      actions.map(({ label, run }) =>
        el('button', { class: 'button button-small', type: 'button', onclick: run }, label),
      ),
    ),
  )
  if (add) box.append(...flatten([notice]))
  else box.replaceChildren(notice)
  return notice
}
