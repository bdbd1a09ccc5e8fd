import type { App } from '../../app/app.ts'
import type { PageText } from '../data/page-text.ts'
import { describeMerge } from '../merge/describe-merge.ts'
import { mergeWithMarkers } from '../merge/merge-with-markers.ts'
import { storeUnsaved, type UnsavedStore } from '../unsaved/unsaved-text.ts'
import type { Autosave, Stored } from './autosave.ts'
import { askAboutConflict } from './conflict-dialog.ts'

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

/** Asks which version to keep and applies it. The other one stays in the history, or on this device. */
export async function resolveConflict(conflict: PageConflict): Promise<void> {
  const { app, pageId, autosave, store, theirs, read, write } = conflict
  const mine = read()
  const { title, body, version } = autosave.base()
  const base = body === unknownBase.body ? null : body
  const outlook = describeMerge(base, mine, theirs)
  const choice = await askAboutConflict({ mine, theirs, outlook, now: app.now() })

  if (choice === 'mine') {
    autosave.rebase(theirs)
    await autosave.flush()
  }
  if (choice === 'theirs') {
    storeUnsaved(pageId, {
      ...mine,
      version,
      base: base === null ? null : { title, body },
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
