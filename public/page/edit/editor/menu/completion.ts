// What is offered while one writes: names of pages after `[[`, tags after `#`, and the list of what can be inserted after `/`.
// Arrow keys choose, Enter or Tab accepts, Escape closes.

import {
  acceptCompletion,
  autocompletion,
  closeCompletion,
  completionKeymap,
  completionStatus,
} from '@codemirror/autocomplete'
import { type Extension, Prec } from '@codemirror/state'
import { type EditorView, keymap } from '@codemirror/view'
import { completeLinks, type LinkedPages } from './complete-links.ts'
import { completeTags, type LoadTags } from './complete-tags.ts'
import { type SlashActions, slashMenu } from './slash-menu.ts'

type Offered = { pages: LinkedPages; tags: LoadTags; actions: SlashActions }

export const completion = ({ pages, tags, actions }: Offered): Extension => [
  autocompletion({
    override: [completeLinks(pages), completeTags(tags), slashMenu(actions)],
    icons: false,
    // What was typed asked for the list, so a suggestion is accepted without delay.
    interactionDelay: 0,
    optionClass: () => 'link-option',
    tooltipClass: () => 'link-options',
    defaultKeymap: false,
  }),
  Prec.highest(
    keymap.of([
      ...completionKeymap.filter(({ key }) => key !== 'Escape'),
      { key: 'Escape', run: closeShown },
      { key: 'Tab', run: acceptCompletion },
    ]),
  ),
]

/** Behind each letter there is a moment in which a list may be to come: Escape is for the editor then. */
function closeShown(view: EditorView): boolean {
  const isShown = completionStatus(view.state) === 'active'
  closeCompletion(view)
  return isShown
}
