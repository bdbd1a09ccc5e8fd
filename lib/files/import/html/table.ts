import { inlineOf } from './inline.ts'
import { attribute, childrenOf, type HtmlNode, isSeen, nameOf } from './node.ts'

const maxColumns = 200

/** A row's cells, or nodes that stand between rows or cells. */
type TablePart = { row: HtmlNode[] } | { beside: HtmlNode[] }

/**
 * A table's rows, without those of nested tables, and what stands between rows or between cells, as a caption does, in
 * their order. Old mail puts rows and cells into elements that HTML knows none in, such as `<center>`, and texts and
 * tables outside of cells; all of it is shown.
 */
export function readTable(table: HtmlNode): TablePart[] {
  const parts: TablePart[] = []
  const putBeside = (node: HtmlNode) => {
    const last = parts.at(-1)
    if (last && 'beside' in last) last.beside.push(node)
    else parts.push({ beside: [node] })
  }
  const take = (node: HtmlNode) => {
    for (const child of childrenOf(node)) {
      const name = nameOf(child)
      if (!isSeen(child)) continue
      if (name === 'tr') {
        const cells: HtmlNode[] = []
        takeCells(child, cells)
        if (cells.length > 0) parts.push({ row: cells })
      } else if (rowGroups.has(name) || holds(child, rowNames)) take(child)
      else putBeside(child)
    }
  }
  const takeCells = (node: HtmlNode, cells: HtmlNode[]) => {
    for (const child of childrenOf(node)) {
      if (cellNames.has(nameOf(child))) cells.push(child)
      else if (isSeen(child) && holds(child, cellNames)) takeCells(child, cells)
      else putBeside(child)
    }
  }
  take(table)
  return parts
}

const rowGroups = new Set(['thead', 'tbody', 'tfoot'])
const rowNames = new Set(['tr'])
const cellNames = new Set(['td', 'th'])
const maxWrappers = 3

/** Whether rows or cells stand in it, but those of a table of its own. */
const holds = (node: HtmlNode, names: ReadonlySet<string>, depth = 0): boolean =>
  depth < maxWrappers &&
  nameOf(node) !== 'table' &&
  childrenOf(node).some((child) => names.has(nameOf(child)) || holds(child, names, depth + 1))

/** True if the table is used for layout only, as in most mail: one column, or whole blocks in its cells. */
export function isForLayout(rows: readonly HtmlNode[][]): boolean {
  return rows.every((row) => row.length < 2) || rows.flat().some((cell) => holdsBlocks(cell, 0))
}

function holdsBlocks(node: HtmlNode, depth: number): boolean {
  if (depth > 20) return true
  return childrenOf(node).some(
    (child) =>
      ['table', 'ul', 'ol', 'pre', 'h1', 'h2', 'h3', 'blockquote'].includes(nameOf(child)) ||
      holdsBlocks(child, depth + 1),
  )
}

/** A Markdown table; its first row is the header. Rows are padded to the longest. */
export function tableOf(rows: readonly HtmlNode[][]): string {
  return renderTable(
    rows.map((row) => row.flatMap((cell) => [cellOf(cell), ...spanned(cell)]).slice(0, maxColumns)),
  )
}

/** Minimum characters of rows as a table. */
export function minTableLength(rows: readonly (readonly string[])[]): number {
  return rows.length * 3 * rows.reduce((width, { length }) => Math.max(width, length), 1)
}

/** Rows of cells that are already Markdown. */
export function renderTable(rows: readonly (readonly string[])[]): string {
  const width = rows.reduce((widest, { length }) => Math.max(widest, length), 1)
  const line = (cells: readonly string[]) =>
    `| ${Array.from({ length: width }, (_, index) => cells[index] ?? '').join(' | ')} |`
  const [head = [], ...body] = rows
  return [line(head), `|${' --- |'.repeat(width)}`, ...body.map(line)].join('\n')
}

/** Text escaped for a cell. */
export const asCell = (text: string): string =>
  text
    .trim()
    .replace(/\s+/g, (space) => (space.includes('\n') ? ' ' : space))
    .replaceAll('|', '\\|')

const cellOf = (cell: HtmlNode) => asCell(inlineOf(childrenOf(cell)))

const spanned = (cell: HtmlNode): string[] => {
  const span = Number.parseInt(attribute(cell, 'colspan'), 10)
  return span > 1 && span <= maxColumns ? Array<string>(span - 1).fill('') : []
}
