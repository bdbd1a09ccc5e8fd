// A text taken apart for quoting (each citable block becomes sentences, list items, table rows, properties and code,
// with the heading above it), and the reply that quotes it. A reply is a run of parts; a part that quotes carries the
// blocks it quotes from. No part is only white space, since such a block may not be sent back to the Messages API.

import { type Block, markdownBlocks, splitFrontMatter, unmarked } from '../../core/text/markdown.ts'
import { listProperties } from '../../core/text/properties/read-properties.ts'
import { stripEmbeds } from '../../core/text/split-note.ts'
import type { TextBlock, TextCitation } from '../model.ts'
import type { Item, Passage } from './conversation.ts'
import { withMatterClosed } from './front-matter.ts'
import { letterHead, spelled } from './letters.ts'
import { plainName } from './plain-name.ts'

export type Line = {
  kind: 'sentence' | 'line' | 'item' | 'row' | 'property' | 'code'
  text: string
  /** Of a list item: `-` or its number. */
  marker: string
}

/** What can be quoted of one block; a block with front matter gives two, so that its properties are quoted apart. */
export type Piece = { block: number; heading: string; lines: Line[] }

/** In order; a block that holds only headings has none. */
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
    at === 0 ? unmarked(part) : at % 2 === 1 ? part : unmarked(`.${part}`).slice(1),
  )
  return plain.join('').replace(/\s+/g, ' ').trim()
}

/** Properties that say nothing of what a page is about: its address, its names, how it is shown. */
const bookkeeping = new Set(
  'title alias aliases permalink slug url_slug redirect_from id uid uuid layout template cssclass cssclasses publish draft'
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

type Evidence = { passage: Passage; block: number }
type Part = { text: string; evidence?: Evidence[] }
export type Reply = Part[]

/** A reply that quotes nothing. */
export function say(...paragraphs: string[]): Reply {
  const text = paragraphs.filter(Boolean).join('\n\n')
  return text === '' ? [] : [{ text }]
}

/** Replies after each other, with an empty line between them. */
export const joinReplies = (replies: Reply[]): Reply =>
  replies.flatMap((reply) =>
    reply.map((part, at) =>
      at === reply.length - 1 ? { ...part, text: `${part.text.trimEnd()}\n\n` } : part,
    ),
  )

export function toTextBlocks(reply: Reply): TextBlock[] {
  const parts = reply.filter(({ text }) => text.trim() !== '')
  return parts.map(({ text, evidence = [] }, at) => ({
    type: 'text',
    text: (at === parts.length - 1 ? text.trimEnd() : text).toWellFormed(),
    ...(evidence.length > 0 ? { citations: evidence.map(toCitation) } : {}),
  }))
}

/** As the API returns it: the whole text of the cited block, `end_block_index` exclusive. */
function toCitation({ passage, block }: Evidence): TextCitation {
  return {
    type: 'search_result_location',
    cited_text: passage.blocks[block] ?? '',
    source: passage.source,
    title: passage.title,
    search_result_index: passage.index,
    start_block_index: block,
    end_block_index: block + 1,
  }
}

/** A piece of a passage: all of its pieces, and the index of this one. */
export type Place = { passage: Passage; pieces: readonly Piece[]; at: number }

/** How much of the question a line holds. */
export type Weigh = (line: Line) => number

const maxQuoted = 420
const maxLines = 9

/** Quotations under the name and heading of their source, those of one heading together; no line twice. */
export function quoteAll(quotes: readonly Place[], weigh: Weigh, items: readonly Item[] = []): Reply {
  const letters = new Map(items.filter(isLetter).map((item) => [item.id, item]))
  const headingOf = ({ pieces, at }: Place) => pieces[at]!.heading
  const bySource = Map.groupBy(quotes, (quote) => `${quote.passage.id} ${headingOf(quote)}`)
  const quoted = new Set<string>()
  return [...bySource.values()].flatMap((group) => {
    const parts = group
      .toSorted((one, other) => one.at - other.at)
      .flatMap((quote) => withNeighbours(quote, weigh))
      .flatMap(({ passage, block, lines }) => {
        const fresh = lines.filter(({ text }) => !quoted.has(`${passage.id} ${text}`))
        for (const { text } of fresh) quoted.add(`${passage.id} ${text}`)
        return fresh.length > 0 ? [{ text: `${blockquote(fresh)}\n\n`, evidence: [{ passage, block }] }] : []
      })
    const letter = letters.get(group[0]!.passage.id)
    const head = letter ? letterHead(letter) : `From ${nameOf(group[0]!.passage, headingOf(group[0]!))}`
    return parts.length > 0 ? [{ text: `${head}:\n\n` }, ...parts] : []
  })
}

/** The first pieces of an item's text, without its properties. */
export function beginningOf({ body: passage }: Item, most: number): Place[] {
  const pieces = piecesOf(passage?.said ?? []).filter(({ lines }) => lines[0]?.kind !== 'property')
  return passage ? pieces.slice(0, most).map((_, at) => ({ passage, pieces, at })) : []
}

/** The title in bold, and the heading above the words. */
export function nameOf(passage: Passage, heading = ''): string {
  const [title = '', ...path] = passage.title.split(' › ')
  const under = heading || (path.at(-1) ?? '')
  return `**${plainName(title)}**${under && under !== title ? `, “${plainName(under)}”` : ''}`
}

export const isLetter = ({ kind }: Pick<Item, 'kind'>): boolean => kind === 'mail_message'

type Excerpt = { passage: Passage; block: number; lines: Line[] }

/** A piece that announces what follows takes it along, and a list or code its announcement. */
function withNeighbours({ passage, pieces, at }: Place, weigh: Weigh): Excerpt[] {
  const announces = (piece: Piece | undefined) => piece?.lines.at(-1)?.text.endsWith(':') === true
  const [before, own, after] = [pieces[at - 1], pieces[at]!, pieces[at + 1]]
  const isList = own.lines[0]?.kind !== 'sentence'
  const chosen = [{ ...own, lines: excerpt(own.lines, weigh) }]
  if (before && isList && announces(before)) chosen.unshift({ ...before, lines: before.lines.slice(-1) })
  if (after && announces(own)) chosen.push({ ...after, lines: excerpt(after.lines, weigh) })
  return chosen.map(({ block, lines }) => ({ passage, block, lines }))
}

/** All of a short piece; of a long one what is around the best line; of rows and long lists the lines that answer. */
function excerpt(lines: readonly Line[], weigh: Weigh): Line[] {
  const clipped = lines.map((line) => ({ ...line, text: clip(line.text) }))
  const weights = lines.map(weigh)
  const best = weights.indexOf(Math.max(...weights))
  const kind = lines[best]?.kind
  const isTable =
    (kind === 'row' || kind === 'property' || (kind === 'item' && !fits(clipped))) && weights[best]! > 0
  if (fits(clipped) && !isTable) return clipped

  const order = [...clipped.keys()]
    .filter((at) => !isTable || weights[at]! >= weights[best]! / 2)
    .sort((a, b) => (isTable ? weights[b]! - weights[a]! : Math.abs(a - best) - Math.abs(b - best)))
  const chosen: number[] = []
  for (const at of order) {
    if (!fits([...chosen, at].map((each) => clipped[each]!))) break
    chosen.push(at)
  }
  return clipped.filter((_, at) => chosen.includes(at))
}

const fits = (lines: readonly Line[]) =>
  lines.length <= maxLines && lines.reduce((sum, { text }) => sum + text.length, 0) <= maxQuoted

function clip(text: string): string {
  if (text.length <= maxQuoted) return text
  const cut = text.slice(0, maxQuoted - 2)
  return `${cut.slice(0, Math.max(200, cut.lastIndexOf(' '))).trimEnd()} …`
}

/** Lines as a Markdown quotation; sentences of one paragraph run on. */
function blockquote(lines: readonly Line[]): string {
  const shown: string[] = []
  let last: Line['kind'] | null = null
  for (const { kind, text, marker } of lines) {
    if ((last === 'code') !== (kind === 'code')) shown.push('```')
    if (kind === 'sentence' && last === 'sentence') shown[shown.length - 1] += ` ${text}`
    else if (kind === 'item') shown.push(`${marker} ${text}`)
    else if (kind === 'row' || kind === 'property') shown.push(`- ${text}`)
    else shown.push(kind === 'line' ? `${text}  ` : text)
    last = kind
  }
  if (last === 'code') shown.push('```')
  return shown.map((line) => `> ${line}`).join('\n')
}

/** Columns that say nothing to a reader, or that are said otherwise. */
const hidden = /^(?:id|kind|version|title|lines|cut|linked_from|origin|position|.*_(?:id|at|by))$/

/** An item by its fields, as they were read: "**Buy rope** is a task: status open, due 6 March 2026." */
export function describeItem(item: Item): string {
  const { kind, title, fields } = item
  if (isLetter(item)) return `${letterHead(item)}.`
  const facts = Object.entries(fields).flatMap(([name, value]) => {
    if (hidden.test(name) || typeof value !== 'string' || value === '') return []
    const text = /^\d{4}-\d\d-\d\d$/.test(value) ? spelled.format(Date.parse(value)) : plainName(value)
    return `${name.replace(/_on$/, '').replaceAll('_', ' ')} ${text.replaceAll('_', ' ')}`
  })
  const label = kind.replace('_', ' ')
  return `**${plainName(title)}** is a ${label}${facts.length > 0 ? `: ${facts.join(', ')}` : ''}.`
}
