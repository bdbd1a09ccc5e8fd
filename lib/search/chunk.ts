// Cuts a text into passages that make sense on their own: at headings first, then between blocks, then (see split.ts)
// inside a block that is too long. Every passage is a verbatim slice, in order and without overlap, and what lies
// between two of them is white space only, so a citation can be checked against the stored text.

import { countWhile } from '../text/count-while.ts'
import { type Block, markdownBlocks } from '../text/markdown-blocks.ts'
import { splitLong } from './split.ts'

export type Chunk = {
  text: string
  /** Headings from the outermost in, the passage's own among them, without one that repeats the title. */
  heading_path: string[]
  /** 1-based and inclusive lines of the source text. */
  start_line: number
  end_line: number
}

/** In characters: a passage is closed when it has `target`, and never has more than `maximum`. */
export const chunkSize = { target: 1200, maximum: 2000 } as const

type Piece = { start: number; end: number; path: string[]; opens: boolean; heading: boolean }

/** The passages of a text; none for white space. `title` is the entity's, left out of the heading paths. */
export function chunkText(text: string, title = ''): Chunk[] {
  const lineStarts = startsOfLines(text)
  const pieces = piecesOf(text, lineStarts, title)
  return pack(pieces).map(({ start, end, path }) => ({
    text: text.slice(start, end),
    heading_path: path,
    start_line: lineAt(lineStarts, start),
    end_line: lineAt(lineStarts, end - 1),
  }))
}

/** Blocks, and parts of blocks that are too long, each with its headings. */
function piecesOf(text: string, lineStarts: number[], title: string): Piece[] {
  const lines = lineStarts.map((start, index) => text.slice(start, lineStarts[index + 1] ?? text.length))
  const open: Extract<Block, { type: 'heading' }>[] = []
  let afterFrontMatter = false

  return markdownBlocks(lines.map((line) => line.replace(/\r?\n$/, ''))).flatMap((block) => {
    if (block.type === 'heading') {
      while ((open.at(-1)?.level ?? 0) >= block.level) open.pop()
      open.push(block)
    }
    const path = open.map((heading) => heading.title).filter((name) => name && !sameName(name, title))
    const opens = block.type === 'heading' || afterFrontMatter
    afterFrontMatter = block.type === 'front_matter'
    const range = trimmed(text, lineStarts[block.from]!, lineStarts[block.to] ?? text.length)
    return splitLong(text, range, { whole: block.type === 'fence', ...chunkSize }).map((part, index) => ({
      ...part,
      path,
      opens: opens && index === 0,
      heading: block.type === 'heading',
    }))
  })
}

/** Joins neighbouring pieces of a section up to the target; headings without text go with what follows. */
function pack(pieces: Piece[]): Piece[] {
  const packed: Piece[] = []
  let headingsOnly = false

  for (const piece of pieces) {
    const last = packed.at(-1)
    const joined = last ? piece.end - last.start : Infinity
    const fits = joined <= (headingsOnly ? chunkSize.maximum : chunkSize.target * 1.25)
    if (last && fits && (headingsOnly || (!piece.opens && last.end - last.start < chunkSize.target))) {
      packed[packed.length - 1] = { ...last, end: piece.end, path: piece.path }
      headingsOnly = headingsOnly && piece.heading
    } else {
      packed.push(piece)
      headingsOnly = piece.heading
    }
  }
  return packed
}

function startsOfLines(text: string): number[] {
  const starts = [0]
  for (let at = text.indexOf('\n'); at !== -1; at = text.indexOf('\n', at + 1)) starts.push(at + 1)
  return starts
}

const lineAt = (lineStarts: readonly number[], offset: number): number =>
  countWhile(lineStarts.length, (index) => lineStarts[index]! <= offset)

/** Without white space at the end, nor blank lines at the beginning; indentation stays. */
function trimmed(text: string, start: number, end: number) {
  const slice = text.slice(start, end)
  return { start, end: start + slice.trimEnd().length }
}

const sameName = (one: string, other: string) => one.trim().toLowerCase() === other.trim().toLowerCase()
