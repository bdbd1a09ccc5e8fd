import { inlineOf } from './inline.ts'
import { attribute, childrenOf, type HtmlNode, isSeen, nameOf } from './node.ts'

const maxColumns = 200

/** The rows of a table, each a list of cells, without those of tables inside it. */
export function rowsOf(table: HtmlNode): HtmlNode[][] {
  return childrenOf(table).flatMap((node) => {
    const name = nameOf(node)
    if (['thead', 'tbody', 'tfoot'].includes(name)) return rowsOf(node)
    if (name !== 'tr' || !isSeen(node)) return []
    return [childrenOf(node).filter((cell) => ['td', 'th'].includes(nameOf(cell)))]
  })
}

/** Whether the table only places things on a page, as in most mail: one column, or whole blocks in its cells. */
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

/** A table of Markdown; its first row is its head. Rows are filled up to the longest. */
export function tableOf(rows: readonly HtmlNode[][]): string {
  return renderTable(
    rows.map((row) => row.flatMap((cell) => [cellOf(cell), ...spanned(cell)]).slice(0, maxColumns)),
  )
}

/** Characters that rows as a table have at least. */
export function minTableLength(rows: readonly (readonly string[])[]): number {
  return rows.length * 3 * rows.reduce((width, { length }) => Math.max(width, length), 1)
}

/** Rows of cells that are Markdown already. */
export function renderTable(rows: readonly (readonly string[])[]): string {
  const width = rows.reduce((widest, { length }) => Math.max(widest, length), 1)
  const line = (cells: readonly string[]) =>
    `| ${Array.from({ length: width }, (_, index) => cells[index] ?? '').join(' | ')} |`
  const [head = [], ...body] = rows
  return [line(head), `|${' --- |'.repeat(width)}`, ...body.map(line)].join('\n')
}

/** Text as it may stand in a cell. */
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
