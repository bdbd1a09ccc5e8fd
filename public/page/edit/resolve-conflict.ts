import type { App } from '../../app/app.ts'
import { showDialog } from '../../ui/components/dialog.ts'
import { el } from '../../ui/dom.ts'
import { timeAgo } from '../../ui/time.ts'
import { capital, otherActorName } from '../../ui/words/names.ts'
import type { PageText } from '../data/page-data.ts'
import { describeMerge, mergeWithMarkers } from '../unsaved/merge-with-markers.ts'
import { renderSides } from '../unsaved/side-by-side.ts'
import { knownBase, storeUnsaved, type UnsavedStore } from '../unsaved/unsaved-text.ts'
import type { Autosave, SavedPage } from './autosave.ts'

type PageConflict = {
  app: App
  pageId: string
  autosave: Autosave
  /** Where the editor stores its text on this device. */
  store: UnsavedStore
  theirs: SavedPage
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

const baseTextOf = ({ autosave }: PageConflict): string | null => knownBase(autosave.base())?.body ?? null

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

type ConflictChoice = 'mine' | 'theirs' | 'merge'

/** `outlook`: the result of a merge, in a sentence. */
type Conflict = { mine: PageText; theirs: SavedPage; outlook: string; now: Date }

/** Shows both versions of a page. Resolves to the choice; `null`: to be decided later. */
function askAboutConflict({ mine, theirs, outlook, now }: Conflict): Promise<ConflictChoice | null> {
  return new Promise((resolve) => {
    let choice: ConflictChoice | null = null
    const pick = (chosen: ConflictChoice) => () => {
      choice = chosen
      dialog.close()
    }
    const button = (label: string, hint: string, chosen: ConflictChoice) =>
      el(
        'button',
        { class: 'button conflict-choice', type: 'button', onclick: pick(chosen), 'data-choice': chosen },
        el('strong', {}, label),
        el('span', {}, hint),
      )

    const dialog = showDialog(
      { title: 'Edited in another window', name: 'conflict', onClose: () => resolve(choice) },
      el(
        'p',
        // Takes the focus, so that typing does not press a button.
        { tabindex: -1, autofocus: true, class: 'conflict-lead' },
        `${capital(otherActorName(theirs.updated_by))} changed this page `,
        timeAgo(theirs.updated_at, now),
        ' while you were editing it. Both versions are kept, whichever you choose.',
      ),
      renderSides({ title: 'Their version', fields: theirs }, { title: 'My version', fields: mine }),
      el(
        'div',
        { class: 'conflict-choices' },
        button('Keep my version', 'Theirs stays in the page history', 'mine'),
        button('Use their version', 'Yours stays on this device', 'theirs'),
        button('Merge', outlook, 'merge'),
      ),
    )
  })
}
