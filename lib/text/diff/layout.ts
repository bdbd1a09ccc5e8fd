import { countWhile } from '../count-while.ts'
import { type Block, markdownBlocks } from '../markdown-blocks.ts'
import { tableColumns } from './table-rows.ts'

/** How lines are compared: prose by words, code and front matter by lines, a table by cells. */
export type LineKind = 'prose' | 'code' | 'front_matter' | 'table' | 'blank'

/** The Markdown structure of a text by line, counted from 0. */
export type Layout = {
  kindAt(line: number): LineKind
  /** The headings above a line, the outermost first, without the line's own. */
  headingsAbove(line: number): string[]
  /** The header cells of the table that contains the line; empty outside of one. */
  columnsAt(line: number): string[]
}

type Lines = { from: number; to: number }
type Heading = { from: number; path: string[] }
type Table = Lines & { columns: string[] }

/** In characters: a table with a longer header or delimiter row is read as prose. */
const maxTableRow = 2000

/** Reads lines without their line breaks. */
export function readLayout(lines: readonly string[]): Layout {
  const kinds = new Map<number, LineKind>()
  const headings: Heading[] = []
  const tables: Table[] = []
  const open: { level: number; title: string }[] = []
  const mark = (kind: LineKind, { from, to }: Lines) => {
    for (let line = from; line < to; line++) kinds.set(line, kind)
  }

  for (const block of markdownBlocks(lines)) {
    if (block.type === 'heading') {
      while (open.length > 0 && open.at(-1)!.level >= block.level) open.pop()
      open.push(block)
      headings.push({ from: block.from, path: open.map(({ title }) => title) })
    }
    if (block.type === 'fence') mark('code', block)
    if (block.type === 'front_matter') mark('front_matter', block)
    const table = tableIn(lines, block)
    if (!table) continue
    tables.push(table)
    mark('table', table)
  }

  return {
    kindAt: (line) => kinds.get(line) ?? ((lines[line] ?? '').trim() === '' ? 'blank' : 'prose'),
    headingsAbove: (line) => lastBefore(headings, line)?.path ?? [],
    columnsAt(line) {
      const table = lastBefore(tables, line + 1)
      return table && line < table.to ? table.columns : []
    },
  }
}

/** The last item that begins before the line. */
function lastBefore<Item extends { from: number }>(items: readonly Item[], line: number): Item | undefined {
  return items[countWhile(items.length, (index) => items[index]!.from < line) - 1]
}

/** A header row, the delimiter row below it, and the rest of the paragraph. */
function tableIn(lines: readonly string[], { type, from, to }: Block): Table | null {
  if (type !== 'paragraph') return null
  for (let line = from; line + 1 < to; line++) {
    const header = lines[line]!
    if (isDelimiter(lines[line + 1]!) && header.length < maxTableRow && header.includes('|')) {
      return { from: line, to, columns: tableColumns(header) }
    }
  }
  return null
}

const isDelimiter = (line: string) =>
  line.length < maxTableRow && line.includes('-') && line.includes('|') && /^[\s|:-]+$/.test(line)
