// What is offered while one writes: names of pages after `[[`, and the list of what can be inserted after `/`. Arrow keys
// choose, Enter or Tab accepts, Escape closes.

import { acceptCompletion, autocompletion, completionKeymap } from '@codemirror/autocomplete'
import type { Extension } from '@codemirror/state'
import { keymap } from '@codemirror/view'
import { completeLinks, type LinkedPages } from './complete-links.ts'
import { type SlashActions, slashMenu } from './slash-menu.ts'

export const completion = (pages: LinkedPages, actions: SlashActions): Extension => [
  autocompletion({
    override: [completeLinks(pages), slashMenu(actions)],
    icons: false,
    // What was typed asked for the list, so a suggestion is accepted without delay.
    interactionDelay: 0,
    optionClass: () => 'link-option',
    tooltipClass: () => 'link-options',
  }),
  keymap.of([...completionKeymap, { key: 'Tab', run: acceptCompletion }]),
]
