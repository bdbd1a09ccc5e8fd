import type { App } from '../app.ts'
import type { Autosave, Fields, Stored } from './autosave.ts'
import { askAboutConflict } from './conflict-dialog.ts'
import { mergeTexts, openConflicts } from './merge.ts'
import { mergeOutlook } from './merge-outlook.ts'
import { setAside, type UnsavedStore } from './unsaved.ts'

/** A base that equals nothing: what the text was written on is not known any more. */
export const unknownBase = { title: '\u0000', body: '\u0000' } as const

export type ConflictToSettle = {
  app: App
  pageId: string
  autosave: Autosave
  /** Where the editor keeps its text. */
  store: UnsavedStore
  theirs: Stored
  read: () => Fields
  /** Puts a text into the editor. */
  write: (fields: Fields) => void
}

/** Asks which text the page shall have and does it. The other one stays: in the history, or on this device. */
export async function settleConflict(conflict: ConflictToSettle): Promise<void> {
  const { app, pageId, autosave, store, theirs, read, write } = conflict
  const mine = read()
  const { title, body, version } = autosave.base()
  const base = body === unknownBase.body ? null : body
  const outlook = mergeOutlook(base, mine, theirs)
  const choice = await askAboutConflict({ mine, theirs, outlook, now: app.now() })

  if (choice === 'mine') {
    autosave.rebase(theirs)
    await autosave.flush()
  }
  if (choice === 'theirs') {
    setAside(pageId, {
      ...mine,
      version,
      base: base === null ? null : { title, body },
      at: app.now().toISOString(),
    })
    write(theirs)
    autosave.rebase(theirs)
    store.clear()
    const run = () => write(mine)
    app.toast('The page is theirs. Your text is kept on this device.', { action: { label: 'Undo', run } })
  }
  if (choice === 'merge') {
    const merged = mergeTexts(base, mine.body, theirs.body)
    write({ title: mine.title, body: merged })
    autosave.rebase(theirs)
    const left = openConflicts(merged)
    app.toast(
      left === 0
        ? 'Both changes fit together. Look it over; it is saved by itself.'
        : `Places that both changed stand between <<<<<<< and >>>>>>>: ${left}. Settle them, and it is saved.`,
    )
  }
}
