import type { App } from '../../app/app.ts'
import type { PageText } from '../data/page-text.ts'
import { describeMerge } from '../merge/describe-merge.ts'
import { mergeWithMarkers } from '../merge/merge-with-markers.ts'
import { storeUnsaved, type UnsavedStore } from '../unsaved/unsaved-text.ts'
import type { Autosave, Stored } from './autosave.ts'
import { askAboutConflict, type ConflictChoice } from './conflict-dialog.ts'

/** A base that equals no page: the one that the text was written on is not known. */
export const unknownBase = { title: '\u0000', body: '\u0000' } as const

export type PageConflict = {
  app: App
  pageId: string
  autosave: Autosave
  /** Where the editor stores its text on this device. */
  store: UnsavedStore
  theirs: Stored
  read: () => PageText
  /** Puts a text into the editor. */
  write: (fields: PageText) => void
}

/** Shows both versions and applies what is chosen; nothing where the dialog is closed. */
export async function reviewConflict(conflict: PageConflict): Promise<void> {
  const { app, theirs, read } = conflict
  const mine = read()
  const outlook = describeMerge(baseTextOf(conflict), mine, theirs)
  const choice = await askAboutConflict({ mine, theirs, outlook, now: app.now() })
  if (choice) await settleConflict(conflict, choice)
}

const baseTextOf = ({ autosave }: PageConflict): string | null => {
  const { body } = autosave.base()
  return body === unknownBase.body ? null : body
}

/** Applies a choice. The other version stays in the history, or on this device. */
export async function settleConflict(conflict: PageConflict, choice: ConflictChoice): Promise<void> {
  const { app, pageId, autosave, store, theirs, read, write } = conflict
  const mine = read()
  const base = baseTextOf(conflict)
  const { title, version } = autosave.base()

  if (choice === 'mine') {
    autosave.rebase(theirs)
    await autosave.flush()
  }
  if (choice === 'theirs') {
    storeUnsaved(pageId, {
      ...mine,
      version,
      base: base === null ? null : { title, body: base },
      at: app.now().toISOString(),
    })
    write(theirs)
    autosave.rebase(theirs)
    store.clear()
    const run = () => write(mine)
    app.toast('The page has their version. Yours is stored on this device.', {
      action: { label: 'Undo', run },
    })
  }
  if (choice === 'merge') {
    const { text, conflicts } = mergeWithMarkers(base, mine.body, theirs.body)
    write({ title: mine.title, body: text })
    autosave.rebase(theirs)
    app.toast(
      conflicts === 0
        ? 'Merged without conflicts. Review the text; it is saved automatically.'
        : `${conflicts === 1 ? '1 conflict is' : `${conflicts} conflicts are`} marked in the text. The page is saved once you resolve ${conflicts === 1 ? 'it' : 'them'}.`,
    )
  }
}
