// Marks around the selection, by key and from the toolbar.

import { type ChangeSpec, EditorSelection } from '@codemirror/state'
import type { Command, EditorView } from '@codemirror/view'

export type Format = { label: string; sign: string; key: string; shown: string; run: Command }

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

export const formats: readonly Format[] = [
  { label: 'Bold', sign: 'B', key: 'Mod-b', shown: 'Ctrl+B', run: wrap('**') },
  { label: 'Italic', sign: 'I', key: 'Mod-i', shown: 'Ctrl+I', run: wrap('*') },
  { label: 'Strikethrough', sign: 'S', key: 'Alt-s', shown: 'Alt+S', run: wrap('~~') },
  { label: 'Code', sign: '</>', key: 'Alt-c', shown: 'Alt+C', run: wrap('`') },
  { label: 'Link', sign: 'Link', key: 'Alt-l', shown: 'Alt+L', run: link },
  { label: 'Link to page', sign: '[[ ]]', key: 'Alt-p', shown: 'Alt+P', run: pageLink },
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
