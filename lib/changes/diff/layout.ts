import type { HunkKind } from '../../contract/card.ts'
import { blocksOf } from '../../search/blocks.ts'
import { tableColumns } from './table-cells.ts'

export type LineKind = Exclude<HunkKind, 'mixed'> | 'blank'

/** What each line of a Markdown text is part of. Lines are counted from 0. */
export type Layout = {
  kindAt(line: number): LineKind
  /** The headings above a line, from the outermost in; the line's own heading is not among them. */
  headingsAbove(line: number): string[]
  /** The header cells of the table that a line stands in; empty outside of one. */
  columnsAt(line: number): string[]
}

type Table = { from: number; to: number }

/** Reads the layout of a text from its lines, which carry no line breaks. */
export function layoutOf(lines: readonly string[]): Layout {
  const headings: { line: number; path: string[] }[] = []
  const marked = new Map<number, 'code' | 'front_matter' | 'table'>()
  const tables: Table[] = []
  const levels: { level: number; title: string }[] = []

  for (const block of blocksOf(lines)) {
    if (block.type === 'heading') {
      while (levels.length > 0 && levels.at(-1)!.level >= block.level) levels.pop()
      levels.push({ level: block.level, title: block.title })
      headings.push({ line: block.from, path: levels.map(({ title }) => title) })
      continue
    }
    const table = block.type === 'paragraph' ? tableIn(lines, block.from, block.to) : block
    if (!table) continue
    const kind = block.type === 'fence' ? 'code' : block.type === 'front_matter' ? 'front_matter' : 'table'
    if (kind === 'table') tables.push(table)
    for (let line = table.from; line < table.to; line++) marked.set(line, kind)
  }

  return {
    kindAt: (line) => marked.get(line) ?? ((lines[line] ?? '').trim() === '' ? 'blank' : 'prose'),
    headingsAbove: (line) => lastBefore(headings, line)?.path ?? [],
    columnsAt(line) {
      const table = tables.find(({ from, to }) => from <= line && line < to)
      return table ? tableColumns(lines[table.from] ?? '') : []
    },
  }
}

function lastBefore<Item extends { line: number }>(items: readonly Item[], line: number): Item | undefined {
  let low = 0
  let high = items.length
  while (low < high) {
    const middle = (low + high) >> 1
    if (items[middle]!.line < line) low = middle + 1
    else high = middle
  }
  return items[low - 1]
}

/** A table is a header row, the row of dashes below it, and what follows in its paragraph. */
function tableIn(lines: readonly string[], from: number, to: number): Table | null {
  for (let line = from; line + 1 < to; line++) {
    if (isDashes(lines[line + 1]!) && lines[line]!.includes('|')) return { from: line, to }
  }
  return null
}

const isDashes = (line: string) =>
  line.length < 2000 && line.includes('-') && line.includes('|') && /^[\s|:-]+$/.test(line)
