// What a preview of a text shows: its first blocks, those below a heading, or those around a passage.

import { cutAtWord } from './bounds.ts'
import { shortenPictures } from './data-pictures.ts'
import { type Block, markdownBlocks, splitFrontMatter } from './markdown.ts'

export type Beginning = {
  /** Whole blocks as in the text; a first block that is too long is cut at a word and ends with an ellipsis. */
  text: string
  /** The headings above it, outermost first. */
  headings: string[]
}

/** In characters. */
const maxBeginning = 1200

/** `heading`: as in a link, `A#B` or `^block`. `passage`: words that stand in the text. One that is not there counts as none. */
type Part = { title: string; heading?: string | undefined; passage?: string | undefined }

/** The beginning of a part of a Markdown text, without front matter and without a heading that repeats the title. */
export function beginningOf(text: string, { title, heading, passage }: Part): Beginning {
  const lines = splitFrontMatter(shortenPictures(text)).content.split(/\r?\n/)
  const blocks = markdownBlocks(lines)
  const first = blocks[0]
  const body = first?.type === 'heading' && plain(first.title) === plain(title) ? 1 : 0
  const named = heading ? findHeading(blocks, heading, lines) : null
  const quoted = named === null && passage ? findPassage(blocks, passage, lines) : null
  const from = named ?? quoted ?? body
  const opening = blocks[from]
  const isSection = named !== null && opening?.type === 'heading'
  const start = isSection ? from + 1 : from
  const above = headingsAbove(blocks, isSection ? from + 1 : from)
  const level = isSection ? opening.level : 0
  const headings = above.map((block) => block.title).filter((name) => name && plain(name) !== plain(title))
  return { text: join(blocks, lines, { start, level }), headings }
}

type Heading = Extract<Block, { type: 'heading' }>

function headingsAbove(blocks: readonly Block[], end: number): Heading[] {
  const open: Heading[] = []
  for (const block of blocks.slice(0, end)) {
    if (block.type !== 'heading') continue
    while ((open.at(-1)?.level ?? 0) >= block.level) open.pop()
    open.push(block)
  }
  return open
}

/** The blocks from `start` that fit, up to the next heading of this level or a higher one. */
function join(blocks: readonly Block[], lines: readonly string[], at: { start: number; level: number }) {
  const first = blocks[at.start]
  if (!first || (first.type === 'heading' && first.level <= at.level)) return ''
  const textOf = (to: number) => lines.slice(first.from, to).join('\n')
  let end = first.to
  for (const block of blocks.slice(at.start + 1)) {
    const isNext = block.type === 'heading' && block.level <= at.level
    if (isNext || textOf(block.to).length > maxBeginning) break
    end = block.to
  }
  const text = textOf(end)
  return text.length <= maxBeginning ? text : `${cutAtWord(text, maxBeginning)}…`
}

/** `A#B` is the B below A. */
function findHeading(blocks: readonly Block[], heading: string, lines: readonly string[]): number | null {
  if (heading.startsWith('^')) return findBlock(blocks, heading, lines)
  let at = -1
  for (const name of heading.split('#').map(plain)) {
    const above = at
    at = blocks.findIndex(
      (block, index) => index > above && block.type === 'heading' && plain(block.title) === name,
    )
    if (at < 0) return null
  }
  return at
}

/** The block with the id; an id on lines of its own names the block before it. */
function findBlock(blocks: readonly Block[], id: string, lines: readonly string[]): number | null {
  const at = blocks.findIndex(({ from, to }) =>
    lines.slice(from, to).some((line) => ` ${line.trim()}`.endsWith(` ${id}`)),
  )
  if (at < 0) return null
  return lines[blocks[at]!.from]!.trim() === id ? Math.max(0, at - 1) : at
}

/** The block in which the first line of the passage begins. */
function findPassage(blocks: readonly Block[], passage: string, lines: readonly string[]): number | null {
  const words = passage.trim().split('\n', 1)[0]!.trim()
  if (words === '') return null
  const line = lines.findIndex((each) => each.includes(words))
  const at = blocks.findIndex(({ from, to }) => line >= from && line < to)
  return at < 0 ? null : at
}

const plain = (text: string) => text.toLowerCase().replace(/[^\p{L}\p{N}]+/gu, '')
