import { inlineOf } from './inline.ts'
import { attribute, childrenOf, type HtmlNode, isSeen, nameOf } from './node.ts'

const maxColumns = 200

/**
 * A table's rows, each a list of cells, without those of nested tables; and what stands between them, as a caption does.
 * Old mail puts rows into elements that HTML knows none in, such as `<center>`.
 */
export function readTable(table: HtmlNode): { rows: HtmlNode[][]; beside: HtmlNode[] } {
  const rows: HtmlNode[][] = []
  const beside: HtmlNode[] = []
  const take = (node: HtmlNode) => {
    for (const child of childrenOf(node)) {
      const name = nameOf(child)
      if (name === 'tr') {
        if (!isSeen(child)) continue
        const cells = childrenOf(child).filter((cell) => ['td', 'th'].includes(nameOf(cell)))
        if (cells.length > 0) rows.push(cells)
      } else if (rowGroups.has(name) || holdsRows(child, 0)) take(child)
      else if (name !== 'table') beside.push(child)
    }
  }
  take(table)
  return { rows, beside }
}

const rowGroups = new Set(['thead', 'tbody', 'tfoot'])
const maxWrappers = 3

/** Whether rows stand in it, but those of a table of its own. */
const holdsRows = (node: HtmlNode, depth: number): boolean =>
  depth < maxWrappers &&
  nameOf(node) !== 'table' &&
  childrenOf(node).some((child) => nameOf(child) === 'tr' || holdsRows(child, depth + 1))

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
