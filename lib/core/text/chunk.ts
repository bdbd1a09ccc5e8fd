// Cuts a text into self-contained passages: at headings first, then between blocks, then (see split.ts) inside a block
// that is too long. Passages are verbatim slices, in order and without overlap, separated only by white space and by the
// bytes of pictures, so a citation can be checked against the stored text.

import { countWhile } from './count-while.ts'
import { aroundPictures } from './data-pictures.ts'
import { type Block, markdownBlocks } from './markdown.ts'

type Chunk = {
  text: string
  /** Headings, outermost first, including the passage's own, but not one that repeats the title. */
  heading_path: string[]
  /** Lines of the source text, 1-based and inclusive. */
  start_line: number
  end_line: number
}

/** In characters: a passage ends once it has `target`, and never exceeds `maximum`. */
export const chunkSize = { target: 1200, maximum: 2000 } as const

/** `apart`: a picture stands before it. */
type Piece = Range & { path: string[]; opens: boolean; apart: boolean; heading: boolean }

/** A text's passages; none for white space. `title` is the entity's, which is omitted from the heading paths. */
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
  const spans = aroundPictures(text)
  let afterFrontMatter = false
  let afterPicture = false

  return markdownBlocks(lines.map((line) => line.replace(/\r?\n$/, ''))).flatMap((block) => {
    if (block.type === 'heading') {
      while ((open.at(-1)?.level ?? 0) >= block.level) open.pop()
      open.push(block)
    }
    const path = open.map((heading) => heading.title).filter((name) => name && !sameName(name, title))
    const opens = block.type === 'heading' || afterFrontMatter
    afterFrontMatter = block.type === 'front_matter'
    const range = trimmed(text, lineStarts[block.from]!, lineStarts[block.to] ?? text.length)
    const readable = spans.length === 1 ? [range] : within(text, range, spans)
    const follows = afterPicture
    afterPicture = readable.at(-1)?.end !== range.end
    const limits = { whole: block.type === 'fence', ...chunkSize }
    return readable.flatMap((each) =>
      splitLong(text, each, limits).map((part, index) => ({
        ...part,
        path,
        opens: opens && index === 0,
        apart: (follows || each.start > range.start) && index === 0,
        heading: block.type === 'heading',
      })),
    )
  })
}

/** Joins neighbouring pieces of a section up to the target; headings without text join the next piece. */
function pack(pieces: Piece[]): Piece[] {
  const packed: Piece[] = []
  let headingsOnly = false

  for (const piece of pieces) {
    const last = packed.at(-1)
    const joined = last && !piece.apart ? piece.end - last.start : Infinity
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

/** Trims white space at the end and blank lines at the beginning; keeps indentation. */
function trimmed(text: string, start: number, end: number) {
  const slice = text.slice(start, end)
  return { start, end: start + slice.trimEnd().length }
}

/** The parts of a range that lie in one of the spans and hold words. */
function within(text: string, range: Range, spans: readonly Range[]): Range[] {
  const parts: Range[] = []
  const first = countWhile(spans.length, (at) => spans[at]!.end <= range.start)
  for (let at = first; at < spans.length && spans[at]!.start < range.end; at += 1) {
    const start = Math.max(range.start, spans[at]!.start)
    const slice = text.slice(start, Math.min(range.end, spans[at]!.end))
    const blank = start === range.start ? 0 : slice.length - slice.trimStart().length
    if (/[\p{L}\p{N}]/u.test(slice)) parts.push({ start: start + blank, end: start + slice.trimEnd().length })
  }
  return parts
}

const sameName = (one: string, other: string) => one.trim().toLowerCase() === other.trim().toLowerCase()

// Cuts a text that is too long for one passage into parts of about equal size, at the best place near each cut: the end
// of a line, else of a sentence, else a space, else anywhere but inside a character.

export type Range = { start: number; end: number }

type Limits = {
  target: number
  maximum: number
  /** Code stays in one part up to `maximum`; other text up to a quarter more than `target`. */
  whole: boolean
}

/** Parts of `range` in order, each at most `maximum` long and without white space at either end. */
export function splitLong(text: string, range: Range, { target, maximum, whole }: Limits): Range[] {
  const parts: Range[] = []
  let start = range.start

  while (start < range.end) {
    const remaining = range.end - start
    if (remaining <= (whole ? maximum : target * 1.25)) {
      parts.push({ start, end: range.end })
      break
    }
    const size = remaining / Math.ceil(remaining / target)
    const end = cutNear(text, { start: start + Math.floor(size * 0.7), end: start + Math.ceil(size * 1.2) })
    const length = text.slice(start, end).trimEnd().length
    if (length > 0) parts.push({ start, end: start + length })
    start = skipSpace(text, end, range.end)
  }
  return parts
}

/** The last suitable cut in the window; `end` is the first character of the next part. */
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

/** Skips blank lines, but not the next line's indentation. */
function skipSpace(text: string, from: number, end: number): number {
  const gap = /^\s*/.exec(text.slice(from, Math.min(end, from + 4000)))?.[0] ?? ''
  const line = gap.lastIndexOf('\n')
  return from + (line === -1 && text[from - 1] === '\n' ? 0 : line === -1 ? gap.length : line + 1)
}

const splitsCharacter = (text: string, at: number) =>
  /^[\ud800-\udbff][\udc00-\udfff]$/.test(text.slice(at - 1, at + 1))
