// A text taken apart for quoting: each block that can be cited becomes sentences, list items, table rows, properties
// and code, with the heading above it.

import { splitFrontMatter } from '../../text/front-matter.ts'
import { type Block, markdownBlocks } from '../../text/markdown-blocks.ts'
import { plainText } from '../../text/plain-text.ts'
import { listProperties } from '../../text/properties/read-properties.ts'
import { stripEmbeds } from '../../text/strip-embeds.ts'

export type Line = {
  kind: 'sentence' | 'line' | 'item' | 'row' | 'property' | 'code'
  text: string
  /** Of a list item: `-` or its number. */
  marker: string
}

/** What can be quoted of one block; a block with front matter gives two, so that its properties are quoted apart. */
export type Piece = { block: number; heading: string; lines: Line[] }

/** The pieces of a text in order; a block that holds only headings has none. */
export function piecesOf(blocks: readonly string[]): Piece[] {
  const split = withMatterClosed(blocks).map((block) => [...block.split('\n').slice(0, 2000), ''])
  const places = split.flatMap((lines, block) => lines.map(() => block))
  const all = split.flat()
  const pieces: Piece[] = []
  let heading = ''

  for (const { type, from, to, ...part } of markdownBlocks(all)) {
    if ('title' in part) heading = plainLine(part.title)
    for (const [block, at] of Map.groupBy(range(from, to), (line) => places[line]!)) {
      const texts = at.map((line) => all[line]!)
      const lines = linesOf(type, texts)
      const last = pieces.at(-1)
      const joins = last?.block === block && last.heading === heading && last.lines[0]?.kind !== 'property'
      if (joins) last.lines.push(...lines)
      else if (lines.length > 0) pieces.push({ block, heading, lines })
    }
  }
  return pieces
}

/** Search gives the lines that answer: of front matter often without its end. */
function withMatterClosed([first = '', ...rest]: readonly string[]): string[] {
  const isCut =
    /^---\n[^\s:#-][^:\n]{0,100}:/.test(first) &&
    ![first, ...rest].some((block) => /\n---\s*(?:\n|$)/.test(block))
  return [isCut ? `${first}\n---` : first, ...rest]
}

const range = (from: number, to: number) => Array.from({ length: to - from }, (_, at) => from + at)

function linesOf(type: Block['type'], lines: readonly string[]): Line[] {
  if (type === 'front_matter') return propertiesOf(lines.join('\n'))
  const code = lines.filter((line) => !/^\s{0,12}(?:`{3,}|~{3,})/.test(line))
  if (type === 'fence') return code.flatMap((line) => toLine('code', line))
  return type === 'paragraph' ? paragraphLines(lines) : []
}

/** One line of Markdown as a reader sees it; inline code stays as it is. */
function plainLine(markdown: string): string {
  const parts = stripEmbeds(markdown.replaceAll('\0', '')).split(/(`[^`\n]{1,500}`)/)
  // Only the first part begins the line: a dash after code is no bullet.
  const plain = parts.map((part, at) =>
    at === 0 ? plainText(part) : at % 2 === 1 ? part : plainText(`.${part}`).slice(1),
  )
  return plain.join('').replace(/\s+/g, ' ').trim()
}

/** Properties that say nothing of what a page is about: its address, its other names, how it is shown. */
const bookkeeping = new Set(
  'alias aliases permalink slug url_slug redirect_from id uid uuid layout template cssclass cssclasses publish draft'
    .concat(' position sidebar_position sidebar_label weight nav_order image cover banner')
    .split(' '),
)

const propertiesOf = (text: string): Line[] =>
  listProperties(splitFrontMatter(`${text}\n`).yaml).flatMap(({ name, values }) =>
    name && !bookkeeping.has(name.toLowerCase()) && values.length > 0
      ? toLine('property', `${name}: ${values.join(', ')}`)
      : [],
  )

const toLine = (kind: Line['kind'], text: string, marker = ''): Line[] => {
  const plain = kind === 'code' ? text.trimEnd() : plainLine(text)
  return plain === '' ? [] : [{ kind, text: plain, marker }]
}

function paragraphLines(lines: readonly string[]): Line[] {
  const result: Line[] = []
  let prose: string[] = []
  const push = (...more: Line[]) => {
    result.push(...sentencesOf(prose), ...more)
    prose = []
  }
  for (const line of lines) {
    const [marker, number] = /^\s{0,12}(?:[-*+]|(\d{1,4})[.)])\s/.exec(line) ?? []
    if (marker) push(...toLine('item', line, number ? `${number}.` : '-'))
    else if (/^[\s|:-]+$/.test(line) && line.includes('-')) {
      // The line under a table's header says nothing; nor does the header.
      push()
      if (result.at(-1)?.kind === 'row') result.pop()
    } else if (/^\s*\|/.test(line)) push(...toLine('row', cellsOf(line).join(' — ')))
    else if (/^\s{2,}\S/.test(line) && prose.length === 0 && result.at(-1)?.kind === 'item') {
      result.at(-1)!.text += ` ${plainLine(line)}`
    } else prose.push(plainLine(line))
  }
  push()
  return result
}

function sentencesOf(lines: readonly string[]): Line[] {
  const filled = lines.filter((line) => /[\p{L}\p{N}]/u.test(line))
  // Short lines that no editor wrapped are meant as lines: an address, opening hours, a verse.
  if (filled.length > 1 && filled.every((line) => line.length < 60)) {
    return filled.map((text) => ({ kind: 'line', text, marker: '' }))
  }
  const sentences = new Intl.Segmenter('en', { granularity: 'sentence' }).segment(filled.join(' '))
  return [...sentences].map(({ segment }) => ({ kind: 'sentence', text: segment.trim(), marker: '' }))
}

const cellsOf = (line: string) =>
  line
    .split(/(?<!\\)\|/)
    .map((cell) => cell.replaceAll('\\|', '|').trim())
    .filter(Boolean)
