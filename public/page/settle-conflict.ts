import type { App } from '../app.ts'
import type { Autosave, Fields, Stored } from './autosave.ts'
import { askAboutConflict } from './conflict-dialog.ts'
import { mergeTexts, openConflicts } from './merge.ts'
import { textSetAside, unsavedText } from './unsaved.ts'

export type ConflictToSettle = {
  app: App
  pageId: string
  autosave: Autosave
  theirs: Stored
  read: () => Fields
  /** Puts a text into the editor. */
  write: (fields: Fields) => void
}

/** Asks which text the page shall have and does it. The other one stays: in the history, or on this device. */
export async function settleConflict(conflict: ConflictToSettle): Promise<void> {
  const { app, pageId, autosave, theirs, read, write } = conflict
  const mine = read()
  const { title, body, version } = autosave.base()
  const choice = await askAboutConflict({ mine, theirs, now: app.now() })

  if (choice === 'mine') {
    autosave.rebase(theirs)
    await autosave.flush()
  }
  if (choice === 'theirs') {
    textSetAside(pageId).write({ ...mine, version, base: { title, body }, at: app.now().toISOString() })
    write(theirs)
    autosave.rebase(theirs)
    unsavedText(pageId).clear()
    const run = () => write(mine)
    app.toast('The page is theirs. Your text is kept on this device.', { action: { label: 'Undo', run } })
  }
  if (choice === 'merge') {
    const merged = mergeTexts(body === '\u0000' ? null : body, mine.body, theirs.body)
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
