// A toolbar over a selection. Each of its buttons has a key, which its hint says: the keyboard stays in the text.

import { type EditorState, type Extension, StateField } from '@codemirror/state'
import { type EditorView, showTooltip, type Tooltip } from '@codemirror/view'
import { el } from '../../../../ui/dom.ts'
import { isVerbatim } from '../syntax/is-verbatim.ts'
import { formats } from './format.ts'

const toolbar = StateField.define<Tooltip | null>({
  create: tooltipOf,
  update(before, { docChanged, selection, state }) {
    return docChanged || selection ? tooltipOf(state) : before
  },
  provide: (field) => showTooltip.from(field),
})

export const selectionToolbar: Extension = toolbar

function tooltipOf(state: EditorState): Tooltip | null {
  const { main, ranges } = state.selection
  const isWorth = !main.empty && ranges.length === 1 && state.sliceDoc(main.from, main.to).trim() !== ''
  if (!isWorth || isVerbatim(state, main.from + 1)) return null
  return { pos: main.from, end: main.to, above: true, arrow: false, create: (view) => ({ dom: draw(view) }) }
}

const draw = (view: EditorView): HTMLElement =>
  el(
    'div',
    { class: 'md-toolbar', role: 'toolbar', 'aria-label': 'Format selection' },
    formats.map(({ label, sign, shown, run }) =>
      el(
        'button',
        {
          type: 'button',
          'aria-label': label,
          title: `${label} (${shown})`,
          'data-format': label,
          // The selection stays.
          onmousedown: (event: MouseEvent) => event.preventDefault(),
          onclick: () => {
            run(view)
            view.focus()
          },
        },
        sign,
      ),
    ),
  )
