// The diff of two Markdown texts as a person reads it: hunks of lines, each compared by what it is (prose by words,
// code by lines, a table by cells), with its place in the document. Cards and every history show these same parts.

import { splitLines } from '../clean.ts'
import { countWhile } from '../count-while.ts'
import { type Block, markdownBlocks } from '../markdown.ts'
import { countWords, type DiffPart, diffWords, replaceText } from './diff-words.ts'
import { computeHunks, type Hunk } from './hunks.ts'
import { diffRows, type TableDiff, tableColumns } from './table-rows.ts'

type HunkKind = Exclude<LineKind, 'blank'> | 'mixed'

export type DiffCounts = {
  words_added: number
  words_removed: number
  lines_added: number
  lines_removed: number
}

type LineRange = { start: number; count: number }

export type TextHunk = {
  /** Its number among the hunks of `computeHunks`. */
  index: number
  kind: HunkKind
  /** The headings above it, the outermost first. */
  heading_path: string[]
  /** The first line, counted from 1, and how many lines are removed and added. */
  lines: { before: LineRange; after: LineRange }
  /** Unchanged lines next to it, without their line breaks. A line between two hunks is in one of them only. */
  context: { above: string[]; below: string[] }
  /** Without the added parts it is the text before, without the removed ones the text after. */
  parts: DiffPart[]
  /** For a table. */
  table: TableDiff | null
  counts: DiffCounts
}

/**
 * `unchanged` has one entry more than `hunks`: the lines, without their line breaks, between the context of a hunk and
 * that of the one before it, and in the last entry those below the last hunk.
 */
type TextDiff = { hunks: TextHunk[]; unchanged: string[][] }

/** In lines, on each side of a hunk; a line of more characters is left out. */
const maxContext = 3

const maxContextLine = 2000

export function diffText(before: string, after: string): TextDiff {
  const hunks = computeHunks(before, after)
  const old = readLines(before)
  const { contexts, unchanged } = readContexts(hunks, old)
  if (hunks.length === 0) return { hunks: [], unchanged }

  const fresh = readLines(after)
  const sides = {
    before: { lines: old, layout: readLayout(old) },
    after: { lines: fresh, layout: readLayout(fresh) },
  }
  return {
    hunks: hunks.map((hunk, index) => ({ ...readHunk(hunk, sides), context: contexts[index]! })),
    unchanged,
  }
}

const readLines = (text: string): string[] => splitLines(text).map((line) => line.replace(/\r?\n$/, ''))

type Sides = Record<'before' | 'after', { lines: string[]; layout: Layout }>

function readHunk(hunk: Hunk, sides: Sides): Omit<TextHunk, 'context'> {
  const kind = kindOf(hunk, sides)
  const removed = hunk.before.lines.join('')
  const added = hunk.after.lines.join('')
  const parts = kind === 'prose' ? diffWords(removed, added) : replaceText(removed, added)
  const side = hunk.after.lines.length > 0 ? 'after' : 'before'
  const { layout } = sides[side]
  const { start } = hunk[side]
  return {
    index: hunk.index,
    kind,
    heading_path: layout.headingsAbove(start),
    lines: {
      before: { start: hunk.before.start + 1, count: hunk.before.lines.length },
      after: { start: hunk.after.start + 1, count: hunk.after.lines.length },
    },
    parts,
    table: kind === 'table' ? { columns: layout.columnsAt(start), rows: rowsOf(hunk, sides) } : null,
    counts: countParts(parts, hunk),
  }
}

function rowsOf(hunk: Hunk, sides: Sides): TableDiff['rows'] {
  const [before, after] = (['before', 'after'] as const).map((side) => {
    const { start, lines } = hunk[side]
    return sides[side].lines.slice(start, start + lines.length)
  })
  return diffRows(before!, after!)
}

/** Blank lines belong to what is around them. */
function kindOf(hunk: Hunk, sides: Sides): HunkKind {
  const kinds = new Set<LineKind>()
  for (const side of ['before', 'after'] as const) {
    const { start, lines } = hunk[side]
    for (let line = start; line < start + lines.length; line++) kinds.add(sides[side].layout.kindAt(line))
  }
  kinds.delete('blank')
  const [kind = 'blank'] = kinds
  return kinds.size > 1 || kind === 'blank' ? 'mixed' : kind
}

function countParts(parts: readonly DiffPart[], hunk: Hunk): DiffCounts {
  const counts = {
    words_added: 0,
    words_removed: 0,
    lines_added: hunk.after.lines.length,
    lines_removed: hunk.before.lines.length,
  }
  for (const { kind, text } of parts) {
    if (kind === 'added') counts.words_added += countWords(text)
    if (kind === 'removed') counts.words_removed += countWords(text)
  }
  return counts
}

function readContexts(hunks: readonly Hunk[], lines: readonly string[]) {
  const contexts: TextHunk['context'][] = []
  const unchanged: string[][] = []
  let start = 0
  for (const hunk of hunks) {
    const rest = lines.slice(start, hunk.before.start)
    const above = takeFirst(rest.slice(-maxContext).toReversed()).toReversed()
    unchanged.push(rest.slice(0, rest.length - above.length))
    const end = hunk.before.start + hunk.before.lines.length
    const next = hunks[hunk.index + 1]?.before.start ?? lines.length
    const below = takeFirst(lines.slice(end, Math.min(next, end + maxContext)))
    contexts.push({ above, below })
    start = end + below.length
  }
  unchanged.push(lines.slice(start))
  return { contexts, unchanged }
}

function takeFirst(lines: readonly string[]): string[] {
  const end = lines.findIndex((line) => line.length > maxContextLine)
  return end < 0 ? [...lines] : lines.slice(0, end)
}

/** How lines are compared: prose by words, code and front matter by lines, a table by cells. */
type LineKind = 'prose' | 'code' | 'front_matter' | 'table' | 'blank'

/** The Markdown structure of a text by line, counted from 0. */
type Layout = {
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
function readLayout(lines: readonly string[]): Layout {
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
