import { otherActorName } from '../actor-name.ts'
import { showDialog } from '../components/dialog.ts'
import { el } from '../dom.ts'
import { timeAgo } from '../time.ts'
import type { Fields, Stored } from './autosave.ts'
import { renderSides } from './sides.ts'

export type ConflictChoice = 'mine' | 'theirs' | 'merge'

/** `outlook`: what merging would come to. */
export type Conflict = { mine: Fields; theirs: Stored; outlook: string; now: Date }

/** Shows both sides of a page that two have changed. Resolves to the choice; `null`: to be decided later. */
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
      { title: 'This page was changed elsewhere', name: 'conflict', onClose: () => resolve(choice) },
      el(
        'p',
        // Takes the focus, so that what is being typed chooses nothing.
        { tabindex: -1, autofocus: true, class: 'conflict-lead' },
        `While you were writing, ${otherActorName(theirs.updated_by)} changed it `,
        timeAgo(theirs.updated_at, now),
        '. Nothing is lost whatever you choose.',
      ),
      renderSides({ title: 'Theirs', fields: theirs }, { title: 'Yours', fields: mine }),
      el(
        'div',
        { class: 'conflict-choices' },
        button('Keep yours', 'Theirs stays in the page’s history', 'mine'),
        button('Take theirs', 'Yours stays on this device', 'theirs'),
        button('Merge', outlook, 'merge'),
      ),
    )
  })
}
