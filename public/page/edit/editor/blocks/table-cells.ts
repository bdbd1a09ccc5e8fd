// The cells of a drawn table are written in where they stand: the cell shows its source, and each key changes its part of
// the text. Tab and Enter go on to the next cell and the one below, and begin a row behind the last one.

import { redo, undo } from '@codemirror/commands'
import type { EditorView } from '@codemirror/view'
import { renderPlain } from '../../../../ui/markdown/markdown.ts'
import { type Block, inPlace, sourceOf } from './blocks.ts'
import { blockOf, nodeToBlock } from './drawn-text.ts'

type Span = { from: number; to: number }
type Place = { row: number; column: number }

export type TableCells = {
  /** Puts the caret into a cell, under the pointer where there is one. */
  open(cell: HTMLTableCellElement, point?: { x: number; y: number }): void
  /** Into the cell of a drawn table that holds a place of the text; false where there is none. */
  openAt(at: number): boolean
}

export function createTableCells(view: EditorView): TableCells {
  return { open, openAt }

  function openAt(at: number): boolean {
    const block = blockOf(view.state, at)
    const node = block?.kind === 'table' ? tableOf(block.drawn.node) : null
    if (!block || !node) return false
    const rows = rowsOf(sourceOf(view.state, block))
    const row = rows.findLastIndex((spans) => block.from + (spans[0]?.from ?? 0) <= at + 2)
    const column = rows[row]?.findIndex(({ to }) => at <= block.from + to) ?? 0
    const cell = node.rows[Math.max(row, 0)]?.cells[Math.max(column, 0)]
    if (cell) open(cell)
    return cell !== undefined
  }

  function open(cell: HTMLTableCellElement, point?: { x: number; y: number }): void {
    const span = spanOf(cell)
    if (!span) return
    const source = view.state.sliceDoc(span.from, span.to).trim().replaceAll('\\|', '|')
    const offset = point && cell.textContent === source ? offsetAt(cell, point) : source.length
    cell.textContent = source
    cell.setAttribute('contenteditable', 'plaintext-only')
    cell.focus({ preventScroll: point !== undefined })
    getSelection()?.collapse(cell.firstChild ?? cell, cell.firstChild ? offset : 0)
    const controller = new AbortController()
    const { signal } = controller
    cell.addEventListener('input', () => write(cell), { signal })
    cell.addEventListener('keydown', (event) => onKey(event, cell), { signal })
    cell.addEventListener('blur', () => close(cell, controller), { signal })
  }

  function close(cell: HTMLTableCellElement, controller: AbortController): void {
    controller.abort()
    cell.removeAttribute('contenteditable')
    const span = spanOf(cell)
    const source = span ? view.state.sliceDoc(span.from, span.to).trim() : ''
    const drawn = renderPlain(`| ${source} |\n| --- |`, { slug: '' }).querySelector('th')
    // Links lead somewhere only once the page is read again.
    cell.replaceChildren(...(drawn?.childNodes ?? []))
  }

  function write(cell: HTMLTableCellElement): void {
    const span = spanOf(cell)
    const text = (cell.textContent ?? '').replace(/\s*\n\s*/g, ' ').replace(/(?<!\\)\|/g, '\\|')
    if (span) change(cell, { ...span, insert: ` ${text} ` })
  }

  function change(within: Element, changes: Span & { insert: string }): void {
    view.dispatch({ changes, annotations: inPlace.of(true), userEvent: 'input.type' })
    const block = nodeToBlock(view.state, topNode(within))
    if (block) block.drawn.source = sourceOf(view.state, block)
  }

  function onKey(event: KeyboardEvent, cell: HTMLTableCellElement): void {
    if (event.isComposing) return
    const { key, shiftKey } = event
    const isMod = event.ctrlKey || event.metaKey
    if (isMod && /^[bi]$/i.test(key)) mark(key.toLowerCase() === 'b' ? '**' : '*')
    else if (isMod && /^[zy]$/i.test(key)) revert(cell, key.toLowerCase() === 'y' || shiftKey)
    else if (key === 'Tab') step(cell, shiftKey ? -1 : 1)
    else if (key === 'Enter' && !isMod) down(cell, shiftKey ? -1 : 1, true)
    else if (key === 'ArrowDown' || key === 'ArrowUp') down(cell, key === 'ArrowDown' ? 1 : -1, false)
    else return
    event.preventDefault()
    event.stopPropagation()
  }

  function step(cell: HTMLTableCellElement, by: 1 | -1): void {
    const table = cell.closest('table')!
    const cells = [...table.rows].flatMap((row) => [...row.cells])
    const next = cells[cells.indexOf(cell) + by]
    if (next) open(next)
    else if (by > 0) addRow(table, 0)
    else leave(table, by)
  }

  function down(cell: HTMLTableCellElement, by: 1 | -1, adds: boolean): void {
    const table = cell.closest('table')!
    const row = cell.closest('tr')!
    const next = table.rows[row.rowIndex + by]?.cells[cell.cellIndex]
    if (next) open(next)
    else if (adds && by > 0) addRow(table, cell.cellIndex)
    else leave(table, by)
  }

  /** To the text above or below the table. */
  function leave(table: HTMLTableElement, by: 1 | -1): void {
    const block = nodeToBlock(view.state, topNode(table))
    if (!block) return
    const { doc } = view.state
    const end = block.from + sourceOf(view.state, block).length
    if (by > 0 && doc.sliceString(end).trim() === '') {
      const changes = { from: end, to: doc.length, insert: '\n\n' }
      view.dispatch({ changes, selection: { anchor: end + 2 }, userEvent: 'input' })
    } else {
      const anchor = by > 0 ? block.to + 1 : Math.max(0, block.from - 1)
      const other = blockOf(view.state, anchor)
      view.dispatch({ selection: { anchor: by > 0 ? (other?.from ?? anchor) : beforeGap(block) } })
    }
    view.focus()
  }

  function beforeGap({ from }: Block): number {
    return view.state.doc.sliceString(0, from).trimEnd().length
  }

  function addRow(table: HTMLTableElement, column: number): void {
    const block = nodeToBlock(view.state, topNode(table))
    const last = table.rows[table.rows.length - 1]
    if (!block || !last) return
    const at = block.from + sourceOf(view.state, block).length
    const body = table.tBodies[0] ?? table.createTBody()
    const row = body.insertRow()
    for (const head of last.cells) {
      const cell = row.insertCell()
      const align = head.getAttribute('align')
      if (align) cell.setAttribute('align', align)
    }
    change(table, { from: at, to: at, insert: `\n|${'  |'.repeat(last.cells.length)}` })
    open(row.cells[column]!)
  }

  function revert(cell: HTMLTableCellElement, isAgain: boolean): void {
    const span = spanOf(cell)
    const place = { row: cell.closest('tr')!.rowIndex, column: cell.cellIndex }
    ;(isAgain ? redo : undo)(view)
    const block = span && blockOf(view.state, span.from)
    const table = block && tableOf(block.drawn.node)
    const next = table?.rows[place.row]?.cells[place.column]
    if (next) open(next)
    else view.focus()
  }

  function spanOf(cell: HTMLTableCellElement): Span | null {
    const block = nodeToBlock(view.state, topNode(cell))
    if (!block) return null
    const place: Place = { row: cell.closest('tr')!.rowIndex, column: cell.cellIndex }
    const rows = rowsOf(sourceOf(view.state, block))
    const spans = rows[place.row]
    const span = spans?.[place.column]
    if (span) return { from: block.from + span.from, to: block.from + span.to }
    if (!spans) return null
    // A row may have fewer cells in the source than it shows.
    const end = block.from + (spans.at(-1)?.to ?? 0)
    const missing = '  |'.repeat(place.column - spans.length + 1)
    const isClosed = view.state.sliceDoc(end, end + 1) === '|'
    change(cell, {
      from: end + (isClosed ? 1 : 0),
      to: end + (isClosed ? 1 : 0),
      insert: isClosed ? missing : `|${missing}`,
    })
    return spanOf(cell)
  }

  function topNode(node: Element): Element {
    let top = node
    while (top.parentElement && !top.parentElement.matches('.prose')) top = top.parentElement
    return top
  }
}

const tableOf = (node: HTMLElement | null) => (node instanceof HTMLTableElement ? node : null)

/** What lies between the bars of each row, but for the row of dashes. */
function rowsOf(source: string): Span[][] {
  const rows: Span[][] = []
  let at = 0
  for (const [index, line] of source.split('\n').entries()) {
    if (index !== 1) rows.push(cellsOf(line, at))
    at += line.length + 1
  }
  return rows
}

function cellsOf(line: string, at: number): Span[] {
  const bars = [...line.matchAll(/(?<!\\)(?:\\\\)*\|/g)].map(({ index, 0: raw }) => index + raw.length - 1)
  const edges = [-1, ...bars, line.length]
  const spans = edges.slice(1).map((to, index) => ({ from: edges[index]! + 1, to }))
  const isBlank = (span: Span | undefined) =>
    span !== undefined && line.slice(span.from, span.to).trim() === ''
  if (bars.length > 0 && isBlank(spans[0]) && line.trimStart().startsWith('|')) spans.shift()
  if (bars.length > 0 && isBlank(spans.at(-1)) && line.trimEnd().endsWith('|')) spans.pop()
  return spans.map(({ from, to }) => ({ from: at + from, to: at + to }))
}

/** Marks around what is selected in a cell. */
function mark(sign: string): void {
  const words = getSelection()?.toString() ?? ''
  document.execCommand('insertText', false, `${sign}${words}${sign}`)
}

function offsetAt(cell: Element, { x, y }: { x: number; y: number }): number {
  const place = document.caretPositionFromPoint(x, y)
  return place && cell.contains(place.offsetNode) && place.offsetNode instanceof Text
    ? place.offset
    : (cell.textContent?.length ?? 0)
}
