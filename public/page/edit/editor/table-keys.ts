// Tab and Shift+Tab go from cell to cell of a table, in place of indenting its rows. Behind the last cell they begin a row.

import { syntaxTree } from '@codemirror/language'
import type { EditorState } from '@codemirror/state'
import type { EditorView, KeyBinding } from '@codemirror/view'
import type { SyntaxNode } from './drawing.ts'

export const tableKeys: readonly KeyBinding[] = [
  { key: 'Tab', run: (view) => moveCell(view, 1), shift: (view) => moveCell(view, -1) },
]

/** Between two bars; `caret` is behind what the cell holds. */
type Cell = { from: number; to: number; caret: number }

function moveCell(view: EditorView, by: 1 | -1): boolean {
  const { state } = view
  const { head, empty } = state.selection.main
  const table = empty ? tableAt(state, head) : null
  if (!table) return false
  const rows = [...table.getChildren('TableHeader'), ...table.getChildren('TableRow')]
  const cells = rows.flatMap((row) => cellsOf(state, row))
  const at = cells.findIndex(({ to }) => head <= to)
  const next = cells[(at < 0 ? cells.length - 1 : at) + by]
  if (next) view.dispatch({ selection: { anchor: next.caret }, scrollIntoView: true })
  else if (by > 0) addRow(view, rows.at(-1)!.to, cellsOf(state, rows[0]!).length)
  return true
}

function tableAt(state: EditorState, position: number): SyntaxNode | null {
  let node: SyntaxNode | null = syntaxTree(state).resolveInner(position, -1)
  while (node && node.name !== 'Table') node = node.parent
  return node
}

function cellsOf(state: EditorState, row: SyntaxNode): Cell[] {
  const bars = row.getChildren('TableDelimiter')
  const starts = [row.from, ...bars.map(({ to }) => to)]
  const ends = [...bars.map(({ from }) => from), row.to]
  const cells = starts.map((from, index) => cellBetween(state, from, ends[index]!))
  // What is before a first bar and behind a last one is no cell.
  const isOutside = ({ from, to }: Cell) => (from === row.from || to === row.to) && isBlank(state, from, to)
  return cells.filter((cell) => !isOutside(cell))
}

function cellBetween(state: EditorState, from: number, to: number): Cell {
  const text = state.sliceDoc(from, to)
  const length = text.trimEnd().length
  return { from, to, caret: from + (length > 0 ? length : Math.min(1, text.length)) }
}

const isBlank = (state: EditorState, from: number, to: number) => state.sliceDoc(from, to).trim() === ''

function addRow(view: EditorView, end: number, columns: number): void {
  view.dispatch({
    changes: { from: end, insert: `\n|${'  |'.repeat(columns)}` },
    selection: { anchor: end + 3 },
    userEvent: 'input',
    scrollIntoView: true,
  })
}
