// Text of a page that is on this device and not on the server: what an editor had not saved when it ended, and what
// was set aside for a newer version.

import type { Page } from '../../lib/contract/entities.ts'
import { el } from '../dom.ts'
import { type Draft, keepDraft } from '../drafts.ts'
import { timeAgo } from '../time.ts'
import type { ViewContext } from '../view.ts'
import type { Fields } from './autosave.ts'
import { showNotice } from './notice.ts'
import type { LivePage } from './page-data.ts'

export type UnsavedText = Fields & {
  /** The version it was written on, and what that said. */
  version: number
  base: Fields | null
  at: string
}

export type UnsavedStore = {
  read(): UnsavedText | null
  /** Whether it is kept now: a browser may have no room, or no wish. */
  write(text: UnsavedText): boolean
  clear(): void
}

export const unsavedText = (pageId: string): UnsavedStore => storeIn(keepDraft(`page:${pageId}`))

export const textSetAside = (pageId: string): UnsavedStore => storeIn(keepDraft(`page-aside:${pageId}`))

function storeIn(draft: Draft): UnsavedStore {
  return {
    read: () => parse(draft.read()),
    clear: () => draft.write(''),
    write(text) {
      const whole = JSON.stringify(text)
      draft.write(whole)
      if (draft.read() === whole) return true
      const part = JSON.stringify({ ...text, base: null })
      draft.write(part)
      return draft.read() === part
    },
  }
}

function parse(text: string): UnsavedText | null {
  if (text === '') return null
  try {
    const value: unknown = JSON.parse(text)
    return isUnsaved(value) ? value : null
  } catch {
    return null
  }
}

const isUnsaved = (value: unknown): value is UnsavedText =>
  typeof value === 'object' &&
  value !== null &&
  typeof Reflect.get(value, 'title') === 'string' &&
  typeof Reflect.get(value, 'body') === 'string' &&
  typeof Reflect.get(value, 'version') === 'number'

export const differs = (text: Fields, page: Fields): boolean =>
  text.body !== page.body || text.title !== page.title

/** Offers, above the page that is read, what is kept of it on this device. */
export function offerUnsaved(box: HTMLElement, { page }: LivePage, context: ViewContext): void {
  for (const store of [unsavedText(page.id), textSetAside(page.id)]) {
    const text = store.read()
    if (!text) continue
    if (differs(text, page)) offer(box, { page, text, store }, context)
    else store.clear()
  }
}

type Offer = { page: Page; text: UnsavedText; store: UnsavedStore }

function offer(box: HTMLElement, { page, text, store }: Offer, { app, url, now }: ViewContext): void {
  const notice = showNotice(box, {
    tone: 'amber',
    add: true,
    text: ['You have text for this page that is only on this device, from ', timeAgo(text.at, now), '.'],
    actions: [
      { label: 'Continue writing', run: resume },
      { label: 'Compare', run: compare },
      { label: 'Discard', run: discard },
    ],
  })

  async function resume(): Promise<void> {
    store.clear()
    unsavedText(page.id).write(text)
    await app.navigate(`${url.pathname}?edit=1`)
  }

  async function compare(): Promise<void> {
    const [{ showDialog }, { renderSides }] = await Promise.all([
      import('../components/dialog.ts'),
      import('./sides.ts'),
    ])
    showDialog(
      { title: 'The page, and what is on this device', name: 'conflict' },
      renderSides({ title: 'The page', fields: page }, { title: 'On this device', fields: text }),
      el('div', { class: 'row' }, el('p', { class: 'dim small' }, 'Escape closes this; nothing is changed.')),
    )
  }

  function discard(): void {
    store.clear()
    notice.remove()
    const run = () => {
      store.write(text)
      offer(box, { page, text, store }, { app, url, now } as ViewContext)
    }
    app.toast('The text on this device is discarded.', { action: { label: 'Undo', run } })
  }
}
