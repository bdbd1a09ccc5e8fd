import { showDialog } from '../../ui/components/dialog.ts'
import { el } from '../../ui/dom.ts'
import { timeAgo } from '../../ui/time.ts'
import { capital, otherActorName } from '../../ui/words/names.ts'
import type { PageText } from '../data/page-text.ts'
import { renderSides } from '../merge/side-by-side.ts'
import type { Stored } from './autosave.ts'

export type ConflictChoice = 'mine' | 'theirs' | 'merge'

/** `outlook`: the result of a merge, in a sentence. */
export type Conflict = { mine: PageText; theirs: Stored; outlook: string; now: Date }

/** Shows both versions of a page. Resolves to the choice; `null`: to be decided later. */
export function askAboutConflict({ mine, theirs, outlook, now }: Conflict): Promise<ConflictChoice | null> {
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
