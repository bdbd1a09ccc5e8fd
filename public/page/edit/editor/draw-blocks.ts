import { Decoration, WidgetType } from '@codemirror/view'
import { el } from '../../../ui/dom.ts'
import { toneOf } from '../../../ui/markdown/callout.ts'
import { CheckboxWidget, type Drawing, type SyntaxNode, WordsWidget } from './drawing.ts'

// Blocks as the live preview draws them: quotations and callouts, code, lists and tasks, rules.

type Draw = (node: SyntaxNode, drawing: Drawing) => void

export const blockDrawers: Readonly<Record<string, Draw>> = {
  HeaderMark: drawHeaderMark,
  Blockquote: drawQuote,
  QuoteMark: (node, drawing) => hideMark(node, drawing),
  FencedCode: drawCode,
  CodeBlock: (node, drawing) => {
    for (const { from } of drawing.linesOf(node)) drawing.line(from, 'md-code-line')
  },
  ListMark: drawListMark,
  TaskMarker: drawTask,
  HorizontalRule(node, drawing) {
    if (drawing.isRevealed(node)) return
    drawing.line(drawing.state.doc.lineAt(node.from).from, 'md-rule-line')
    drawing.hide(node.from, node.to)
  },
}

/** The mark, and the space behind it. */
function hideMark({ from, to }: SyntaxNode, drawing: Drawing): void {
  if (drawing.isRevealed({ from, to })) return
  const space = drawing.state.sliceDoc(to, to + 1) === ' ' ? 1 : 0
  drawing.hide(from, to + space)
}

function drawHeaderMark(node: SyntaxNode, drawing: Drawing): void {
  const heading = node.parent
  if (!heading || drawing.isRevealed(heading)) return
  if (heading.name.startsWith('Setext'))
    drawing.line(drawing.state.doc.lineAt(node.from).from, 'md-gone-line')
  else if (node.from === heading.from) hideMark(node, drawing)
  else drawing.hide(node.from - 1, node.to)
}

const opening = /^[\s>]*?\[!([\w-]{1,40})\]([+-]?)[^\S\n]*/

function drawQuote(node: SyntaxNode, drawing: Drawing): void {
  const { doc } = drawing.state
  const head = doc.lineAt(node.from)
  const match =
    node.parent?.name === 'Blockquote' ? null : opening.exec(head.text.slice(node.from - head.from))
  const look = match ? `md-callout md-callout-${toneOf(match[1]!)}` : 'md-quote-line'
  if (node.parent?.name === 'Blockquote') return
  for (const { from, to } of drawing.linesOf(node)) {
    const first = from <= node.from ? ' md-first' : ''
    const last = to >= node.to ? ' md-last' : ''
    drawing.line(from, look + first + last)
  }
  if (!match || drawing.isRevealed({ from: head.from, to: head.to })) return
  const at = node.from + match[0].indexOf('[!')
  const end = node.from + match[0].length
  drawing.mark(end, head.to, 'md-callout-title')
  if (end < head.to) drawing.hide(at, end)
  else drawing.replace(at, end, new WordsWidget(`${match[1]![0]!.toUpperCase()}${match[1]!.slice(1)}`))
}

function drawCode(node: SyntaxNode, drawing: Drawing): void {
  const { doc } = drawing.state
  const [head, foot] = [doc.lineAt(node.from), doc.lineAt(node.to)]
  const isShown = drawing.isRevealed(node)
  const language = drawing.state.sliceDoc(
    node.getChild('CodeInfo')?.from ?? 0,
    node.getChild('CodeInfo')?.to ?? 0,
  )
  for (const { from } of drawing.linesOf(node)) {
    const first = from === head.from ? ' md-first' : ''
    const last = from === foot.from ? ' md-last' : ''
    const label: Record<string, string> = first && !isShown ? { 'data-language': language.slice(0, 40) } : {}
    drawing.line(from, `md-code-line${first}${last}`, label)
  }
  if (isShown) return
  const isClosed = node.lastChild?.name === 'CodeMark' && foot.from > head.from
  drawing.hide(node.from, head.to)
  if (isClosed) drawing.hide(node.lastChild!.from, foot.to)
}

function drawListMark(node: SyntaxNode, drawing: Drawing): void {
  if (drawing.isRevealed(node)) return
  const task = node.nextSibling?.name === 'Task'
  if (task) drawing.hide(node.from, node.nextSibling!.from)
  else if (node.parent?.parent?.name === 'BulletList') drawing.mark(node.from, node.to, 'md-bullet')
}

function drawTask(node: SyntaxNode, drawing: Drawing): void {
  const { state } = drawing
  const line = state.doc.lineAt(node.from)
  const checked = state.sliceDoc(node.from + 1, node.from + 2) !== ' '
  const label = state.sliceDoc(node.to, Math.min(line.to, node.to + 200)).trim() || 'Task'
  if (checked) drawing.mark(Math.min(node.to + 1, line.to), line.to, 'md-done')
  if (!drawing.isRevealed(node)) drawing.replace(node.from, node.to, new CheckboxWidget(checked, label))
}

// Tables in place: each line is a row and what is between its bars a cell, which the browser lays out as a table. So it
// is still the text, and a table that is written in shows its source.

const cell = Decoration.mark({ class: 'md-cell' })

const bar = Decoration.mark({ class: 'md-gone' })

export function drawTable(table: SyntaxNode, drawing: Drawing): void {
  const isShown = drawing.isRevealed(table)
  if (isShown) drawing.reveal({ from: table.from, to: table.to })
  for (const line of drawing.linesOf(table)) {
    const row = table.childAfter(line.from)
    if (isShown || !row) drawing.line(line.from, 'md-table-source')
    else if (row.name === 'TableDelimiter') drawing.line(line.from, 'md-gone-line')
    else {
      drawing.line(line.from, row.name === 'TableHeader' ? 'md-row md-row-head' : 'md-row')
      drawRow(row, line, drawing)
    }
  }
}

function drawRow(row: SyntaxNode, line: { from: number; to: number }, { cells }: Drawing): void {
  const bars = row.getChildren('TableDelimiter')
  const edges = [line.from, ...bars.flatMap(({ from, to }) => [from, to]), line.to]
  for (let at = 0; at < edges.length; at += 2) {
    const [from, to] = [edges[at]!, edges[at + 1]!]
    // Before the first bar and behind the last one is nothing, where the row has them.
    const isOuter = (at === 0 || at === edges.length - 2) && bars.length > 0 && to - from === 0
    if (to > from) cells.push(cell.range(from, to))
    else if (!isOuter) cells.push(Decoration.widget({ widget: new EmptyCell(), side: 1 }).range(from))
  }
  for (const { from, to } of bars) cells.push(bar.range(from, to))
}

class EmptyCell extends WidgetType {
  override eq(): boolean {
    return true
  }

  override toDOM(): HTMLElement {
    return el('span', { class: 'md-cell' })
  }
}
