// Cuts a text into passages that make sense on their own: at headings first, then between blocks, then (see split.ts)
// inside a block that is too long. Every passage is a verbatim slice, in order and without overlap, and what lies
// between two of them is white space only, so a citation can be checked against the stored text.

import { countWhile } from '../core/text/count-while.ts'
import { type Block, markdownBlocks } from '../core/text/markdown-blocks.ts'

type Chunk = {
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

// Cuts a stretch of text that is too long for one passage into parts of about equal size, at the best place near each
// cut: the end of a line, else of a sentence, else a space, else anywhere but inside a character.

export type Range = { start: number; end: number }

type Limits = {
  target: number
  maximum: number
  /** Keep it in one part up to `maximum`: code. Otherwise up to a quarter more than `target`. */
  whole: boolean
}

/** Parts of `range` in order, each at most `maximum` long and beginning and ending in text. */
export function splitLong(text: string, range: Range, { target, maximum, whole }: Limits): Range[] {
  const parts: Range[] = []
  let start = range.start

  while (start < range.end) {
    const left = range.end - start
    if (left <= (whole ? maximum : target * 1.25)) {
      parts.push({ start, end: range.end })
      break
    }
    const size = left / Math.ceil(left / target)
    const end = cutNear(text, { start: start + Math.floor(size * 0.7), end: start + Math.ceil(size * 1.2) })
    const kept = text.slice(start, end).trimEnd().length
    if (kept > 0) parts.push({ start, end: start + kept })
    start = skipSpace(text, end, range.end)
  }
  return parts
}

/** The last good place to cut in the window; `end` is the first character of the next part. */
function cutNear(text: string, { start, end }: Range): number {
  const window = text.slice(start, end)
  const line = window.lastIndexOf('\n')
  if (line !== -1) return start + line + 1

  const sentence = [...window.matchAll(/[.!?]["')\]]*\s|[。！？]/gu)].at(-1)
  if (sentence) return start + sentence.index + sentence[0].length
  const space = window.search(/\s\S*$/)
  if (space !== -1) return start + space + 1
  return splitsCharacter(text, end) ? end - 1 : end
}

/** Past blank lines, keeping the indentation of the line that follows. */
function skipSpace(text: string, from: number, end: number): number {
  const gap = /^\s*/.exec(text.slice(from, Math.min(end, from + 4000)))?.[0] ?? ''
  const line = gap.lastIndexOf('\n')
  return from + (line === -1 && text[from - 1] === '\n' ? 0 : line === -1 ? gap.length : line + 1)
}

const splitsCharacter = (text: string, at: number) =>
  /^[\ud800-\udbff][\udc00-\udfff]$/.test(text.slice(at - 1, at + 1))
