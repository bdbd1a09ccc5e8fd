import {
  type ChangeSpec,
  EditorSelection,
  type EditorState,
  type Extension,
  StateField,
} from '@codemirror/state'
import { type Command, type EditorView, showTooltip, type Tooltip } from '@codemirror/view'
import { el } from '../../../ui/dom.ts'
import { isVerbatim } from './markdown-marks.ts'

// Marks around the selection, by key and from the toolbar.

type Format = { label: string; sign: string; key: string; keyLabel: string; run: Command }

/** Adds marks around each selection, or removes them where they are. */
const wrap =
  (mark: string): Command =>
  (view) => {
    const { state } = view
    const { length } = mark
    view.dispatch(
      state.changeByRange(({ from, to }) => {
        const isAround =
          state.sliceDoc(Math.max(0, from - length), from) === mark &&
          state.sliceDoc(to, to + length) === mark
        if (isAround) {
          const changes = [
            { from: from - length, to: from },
            { from: to, to: to + length },
          ]
          return { changes, range: EditorSelection.range(from - length, to - length) }
        }
        const changes = [
          { from, insert: mark },
          { from: to, insert: mark },
        ]
        return { changes, range: EditorSelection.range(from + length, to + length) }
      }),
      { userEvent: 'input' },
    )
    return true
  }

/** The selected words as a link; the caret is where its address goes. */
const link: Command = (view) => {
  const { from, to } = view.state.selection.main
  const label = view.state.sliceDoc(from, to)
  if (label.includes('\n')) return false
  view.dispatch({
    changes: { from, to, insert: `[${label}]()` },
    selection: EditorSelection.cursor(from + label.length + (label === '' ? 1 : 3)),
    userEvent: 'input',
  })
  return true
}

const pageLink: Command = (view) => {
  const { from, to } = view.state.selection.main
  const label = view.state.sliceDoc(from, to)
  if (/[[\]|#\n]/.test(label)) return false
  view.dispatch({
    changes: { from, to, insert: `[[${label}]]` },
    selection: EditorSelection.cursor(from + label.length + (label === '' ? 2 : 4)),
    userEvent: 'input',
  })
  return true
}

const formats: readonly Format[] = [
  { label: 'Bold', sign: 'B', key: 'Mod-b', keyLabel: 'Ctrl+B', run: wrap('**') },
  { label: 'Italic', sign: 'I', key: 'Mod-i', keyLabel: 'Ctrl+I', run: wrap('*') },
  { label: 'Strikethrough', sign: 'S', key: 'Alt-s', keyLabel: 'Alt+S', run: wrap('~~') },
  { label: 'Code', sign: '</>', key: 'Alt-c', keyLabel: 'Alt+C', run: wrap('`') },
  { label: 'Link', sign: 'Link', key: 'Alt-l', keyLabel: 'Alt+L', run: link },
  { label: 'Link to page', sign: '[[ ]]', key: 'Alt-p', keyLabel: 'Alt+P', run: pageLink },
]

export const formatKeys = formats.map(({ key, run }) => ({ key, run }))

/** Puts a prefix before the line of the caret in the place of what is between `from` and `to`. */
export function prefixLine(
  view: EditorView,
  prefix: string,
  { from, to }: { from: number; to: number },
): void {
  const line = view.state.doc.lineAt(from)
  const indent = /^\s*/.exec(line.text)![0].length
  const old = /^\s*(?:#{1,6} |[-*+] (?:\[[ xX]\] )?|\d+[.)] |> )?/.exec(line.text)![0].length
  const start = line.from + indent
  const changes: ChangeSpec[] = [
    { from: start, to: Math.min(line.from + old, from), insert: prefix },
    { from, to },
  ]
  view.dispatch({ changes, userEvent: 'input.complete', scrollIntoView: true })
}

// A toolbar over a selection. Each of its buttons has a key, which its hint says: the keyboard stays in the text.

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
    formats.map(({ label, sign, keyLabel, run }) =>
      el(
        'button',
        {
          type: 'button',
          'aria-label': label,
          title: `${label} (${keyLabel})`,
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
