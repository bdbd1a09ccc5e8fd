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
  Table: drawTable,
  TaskMarker: drawTask,
  HorizontalRule(node, drawing) {
    if (drawing.isRevealed(node)) return
    drawing.line(drawing.state.doc.lineAt(node.from).from, 'md-rule-line')
    drawing.hide(node.from, node.to)
  },
}

/** The mark, and the space behind it. */
function hideMark({ from, to }: SyntaxNode, drawing: Drawing): void {
  const space = drawing.state.sliceDoc(to, to + 1) === ' ' ? 1 : 0
  drawing.hide(from, to + space)
}

/** In the margin, where it moves nothing. */
function drawHeaderMark(node: SyntaxNode, drawing: Drawing): void {
  const heading = node.parent
  if (!heading) return
  const line = drawing.state.doc.lineAt(heading.from)
  if (node.from === heading.from || heading.name.startsWith('Setext'))
    drawing.line(line.from, `md-heading-line md-heading-line-${/\d/.exec(heading.name)?.[0] ?? 1}`)
  const isTouched = drawing.isTouched(heading)
  if (heading.name.startsWith('Setext')) {
    if (!isTouched) drawing.line(drawing.state.doc.lineAt(node.from).from, 'md-gone-line')
  } else if (node.from > heading.from) {
    if (!drawing.isRevealed(heading)) drawing.hide(node.from - 1, node.to)
  } else if (!isTouched) hideMark(node, drawing)
  else {
    const space = drawing.state.sliceDoc(node.to, node.to + 1) === ' ' ? 1 : 0
    drawing.mark(node.from, node.to + space, 'md-hanging')
  }
}

const opening = /^[\s>]*?\[!([\w-]{1,40})\]([+-]?)[^\S\n]*/

function drawQuote(node: SyntaxNode, drawing: Drawing): void {
  if (node.parent?.name === 'Blockquote') return
  const { doc } = drawing.state
  const head = doc.lineAt(node.from)
  const match = opening.exec(head.text.slice(node.from - head.from))
  const look = match ? `md-callout md-callout-${toneOf(match[1]!)}` : 'md-quote-line'
  let isSpaced = match !== null
  for (const { from, to, text } of drawing.linesOf(node)) {
    const isFirst = from <= node.from
    const isBlank = /^[\s>]*$/.test(text)
    const names = [
      look,
      isFirst && 'md-first',
      to >= node.to && 'md-last',
      !isFirst && isBlank && 'md-quote-blank',
      !isFirst && !isBlank && isSpaced && match && 'md-spaced',
    ]
    const mark: Record<string, string> =
      isFirst && match && drawing.isTouched(node) ? { 'data-mark': `[!${match[1]}]${match[2]}` } : {}
    drawing.line(from, names.filter(Boolean).join(' '), mark)
    isSpaced = isFirst
  }
  if (!match) return
  const at = node.from + match[0].indexOf('[!')
  const end = node.from + match[0].length
  drawing.mark(end, head.to, 'md-callout-title')
  if (end < head.to) drawing.hide(at, end)
  else drawing.replace(at, end, new WordsWidget(`${match[1]![0]!.toUpperCase()}${match[1]!.slice(1)}`))
}

/** Its fences are as high as the edges of the box that the page draws. */
function drawCode(node: SyntaxNode, drawing: Drawing): void {
  const { doc } = drawing.state
  const [head, foot] = [doc.lineAt(node.from), doc.lineAt(node.to)]
  const isClosed = node.lastChild?.name === 'CodeMark' && foot.from > head.from
  for (const { from } of drawing.linesOf(node)) {
    const isFence = from === head.from || (isClosed && from === foot.from)
    const edges = `${from === head.from ? ' md-first' : ''}${from === foot.from ? ' md-last' : ''}`
    drawing.line(from, `md-code-line${edges}${isFence ? ' md-fence' : ''}`)
  }
}

const stepOfList = 24

/** The first line of an item is one to the browser too, which draws its mark. */
function drawListMark(node: SyntaxNode, drawing: Drawing): void {
  const { state } = drawing
  const item = node.parent
  const list = item?.parent
  if (!item || !list) return
  const line = state.doc.lineAt(node.from)
  const task = node.nextSibling?.name === 'Task' ? node.nextSibling : null
  let depth = 0
  for (let up: SyntaxNode | null = list; up; up = up.parent) if (/List$/.test(up.name)) depth += 1
  const isOrdered = list.name === 'OrderedList'
  const isFirst = list.parent?.name !== 'ListItem' && list.getChild('ListItem')?.from === item.from
  const start = depth * stepOfList - (task ? 22.4 : 0)
  const number = isOrdered ? `counter-set: list-item ${numberOf(item, list, state)};` : ''
  const kind = isOrdered ? 'decimal' : (['disc', 'circle', 'square'][Math.min(depth, 3) - 1] ?? 'disc')
  const style = `margin-inline-start: ${start}px; list-style-type: ${task ? 'none' : kind};${number}`
  drawing.line(line.from, `md-item${isFirst ? ' md-first' : ''}`, { style })
  const space = /^[ \t]*/.exec(state.sliceDoc(node.to, line.to))![0].length
  drawing.hide(line.from, task ? task.from : Math.min(line.to, node.to + space))
  for (const { from, text } of drawing.linesOf({ from: line.to + 1, to: item.to })) {
    if (text.trim() === '') drawing.line(from, 'md-gone-line')
    else if (!/^\s*(?:[-*+]|\d{1,9}[.)])(?:\s|$)/.test(text)) {
      drawing.line(from, 'md-item-more', { style: `margin-inline-start: ${depth * stepOfList}px` })
      drawing.hide(from, from + /^\s*/.exec(text)![0].length)
    }
  }
}

function numberOf(item: SyntaxNode, list: SyntaxNode, state: Drawing['state']): number {
  const first = Number.parseInt(state.sliceDoc(list.from, list.from + 9), 10) || 1
  let at = 0
  for (const each of list.getChildren('ListItem')) {
    if (each.from === item.from) break
    at += 1
  }
  return first + at
}

function drawTask(node: SyntaxNode, drawing: Drawing): void {
  const { state } = drawing
  const line = state.doc.lineAt(node.from)
  const checked = state.sliceDoc(node.from + 1, node.from + 2) !== ' '
  const label = state.sliceDoc(node.to, Math.min(line.to, node.to + 200)).trim() || 'Task'
  drawing.replace(node.from, node.to, new CheckboxWidget(checked, label))
}

/** A table is written in by its cells, and shows its source where more than that is selected. */
function drawTable(table: SyntaxNode, drawing: Drawing): void {
  for (const { from } of drawing.linesOf(table)) drawing.line(from, 'md-table-source')
}
