// Tables in place: each line is a row and what is between its bars a cell, which the browser lays out as a table. So it
// is still the text, and a table that is written in shows its source.

import { Decoration, WidgetType } from '@codemirror/view'
import { el } from '../../../../ui/dom.ts'
import type { Drawing, SyntaxNode } from './drawing.ts'

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
