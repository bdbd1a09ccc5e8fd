import {
  type ChangeSpec,
  EditorSelection,
  type EditorState,
  type Extension,
  StateField,
} from '@codemirror/state'
import { type Command, type EditorView, showTooltip, type Tooltip } from '@codemirror/view'
import { el } from '../../../ui/dom.ts'
import { listKeys } from './list-keys.ts'
import { isVerbatim } from './markdown-marks.ts'

// Marks around the selection, by key and from the toolbar.

type Span = { from: number; to: number }

type Format = { label: string; sign: string; key: string; keyLabel: string; run: Command }

/** Adds marks around the words of each selection, or removes them where they are: on each of its lines for itself. */
const wrap =
  (mark: string): Command =>
  (view) => {
    const { state } = view
    view.dispatch(
      state.changeByRange((range) => {
        const spans = wordsIn(state, range, mark)
        const isOn = spans.length > 0 && spans.every((span) => isMarked(state, span, mark))
        const changes = spans.flatMap(({ from, to }): ChangeSpec[] =>
          isOn
            ? [
                { from: from - mark.length, to: from },
                { from: to, to: to + mark.length },
              ]
            : [
                { from, insert: mark },
                { from: to, insert: mark },
              ],
        )
        const set = state.changes(changes)
        const [first, last] = [spans[0] ?? range, spans.at(-1) ?? range]
        return { changes, range: EditorSelection.range(set.mapPos(first.from, 1), set.mapPos(last.to, -1)) }
      }),
      { userEvent: 'input' },
    )
    return true
  }

function isMarked(state: EditorState, { from, to }: Span, mark: string): boolean {
  const { length } = mark
  return state.sliceDoc(Math.max(0, from - length), from) === mark && state.sliceDoc(to, to + length) === mark
}

/** Without the marks that the words have already; three asterisks are those of both. */
function withoutMarks(text: string, mark: string, { from, to }: Span, offset: number): Span {
  const words = text.slice(from - offset, to - offset)
  const has = (run: string) =>
    mark.startsWith('*') ? run.length === mark.length || run.length === 3 : run.length >= mark.length
  const sign = mark[0] === '*' ? '\\*' : mark[0]
  const lead = new RegExp(`^${sign}*`).exec(words)![0]
  const tail = new RegExp(`${sign}*$`).exec(words)![0]
  if (words.length <= lead.length + tail.length) return { from, to }
  return { from: from + (has(lead) ? mark.length : 0), to: to - (has(tail) ? mark.length : 0) }
}

/** What makes a line part of a quotation, a list or a heading, and a cell part of a table. */
const linePrefix =
  /^[ \t]*(?:(?:>|[-*+]|\d{1,9}[.)]|#{1,6})(?:[ \t]+|$)|\[[ xX]\][ \t]+|\[![\w-]+\][+-]?[ \t]*)*/

/** The words of a selection, by line: without what the lines begin with, and without the space around them. */
function wordsIn(
  state: EditorState,
  { from, to, empty }: { from: number; to: number; empty: boolean },
  mark: string,
): Span[] {
  if (empty) return [{ from, to }]
  const spans: Span[] = []
  for (let at = from; at <= to; ) {
    const line = state.doc.lineAt(at)
    const begin = Math.max(from, line.from + linePrefix.exec(line.text)![0].length)
    const text = state.sliceDoc(begin, Math.min(to, line.to))
    const [lead, tail] = [/^\s*/.exec(text)![0].length, /\s*$/.exec(text)![0].length]
    if (begin <= Math.min(to, line.to) && text.trim() !== '')
      spans.push(withoutMarks(text, mark, { from: begin + lead, to: begin + text.length - tail }, begin))
    at = line.to + 1
  }
  return spans
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

export const formatKeys = [...formats.map(({ key, run }) => ({ key, run })), ...listKeys]

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
