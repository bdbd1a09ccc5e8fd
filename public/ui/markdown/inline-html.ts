// Raw HTML in a text: a few harmless tags with a few harmless attributes are markup, where each is closed beside where
// it was opened. Everything else stays text that one can read, so that nothing is hidden by being HTML.

import type { Token, Tokens } from 'marked'
import { escapeAll, escapeText } from './syntax.ts'

type Tag = { name: string; html: string; closes: boolean }
type Piece = { text: string; tag: Tag | null }

const empty = new Set(['br', 'wbr'])
const formatting = new Set('sub sup kbd mark del ins u s small b i em strong abbr'.split(' '))
const folds = new Set(['details', 'summary'])
/** The parts of a table, and in what they may stand. */
const parts = new Map(
  Object.entries({
    table: '',
    caption: 'table',
    thead: 'table',
    tbody: 'table',
    tfoot: 'table',
    tr: 'table thead tbody tfoot',
    td: 'tr',
    th: 'tr',
  }),
)
/** In these stand parts of a table alone. */
const frames = /^(?:table|thead|tbody|tfoot|tr)$/

const values: Record<string, RegExp> = {
  id: /^[\w-]{1,60}$/,
  align: /^(?:left|right|center)$/i,
  colspan: /^[1-9]\d?$/,
  rowspan: /^[1-9]\d?$/,
  open: /^$/,
  title: /^/,
}

/** Before the ids of a text, so that they are none of the app's. */
const idPrefix = 'text-'

/** Longer tags are text. */
const maxTag = 400
const maxOpen = 50

const wholeTag = /^<(\/?)([a-z]+)((?:\s+[a-z]+(?:=(?:"[^"]*"|'[^']*'|[^\s"'=`]+))?)*)\s*\/?>$/i

/** Finds out which raw tags in a list of tokens, and in those within them, are markup: each gets its safe `markup`. */
export function readRawHtml(tokens: readonly Token[]): void {
  const open: Piece[] = []
  const read: { token: Token; pieces: Piece[] }[] = []
  for (const token of tokens) {
    for (const list of listsIn(token)) readRawHtml(list)
    if (token.type !== 'html') continue
    const isBlock = 'block' in token && token.block === true
    const pieces = piecesOf(token.raw, isBlock)
    for (const piece of pieces) pair(piece, open)
    read.push({ token, pieces })
  }
  for (const tag of open) tag.tag = null
  for (const { token, pieces } of read) Object.assign(token, { markup: pieces.map(htmlOf).join('') })
}

/** The markup of a token of raw HTML. */
export function rawHtml(token: Tokens.HTML | Tokens.Tag): string {
  return 'markup' in token && typeof token.markup === 'string' ? token.markup : escapeAll(token.raw)
}

function listsIn(token: Token): readonly Token[][] {
  if (token.type === 'list') return [(token as Tokens.List).items]
  if (token.type === 'table') {
    const { header, rows } = token as Tokens.Table
    return [header, ...rows].flatMap((row) => row.map((cell) => cell.tokens))
  }
  return 'tokens' in token && token.tokens ? [token.tokens] : []
}

function piecesOf(text: string, isBlock: boolean): Piece[] {
  return (text.match(/<[^<>]*>|[^<]+|</g) ?? []).map((piece) => {
    const tag = piece.startsWith('<') ? readTag(piece) : null
    // A table would end the paragraph that it stands in.
    return { text: piece, tag: tag && (isBlock || !parts.has(tag.name)) ? tag : null }
  })
}

const htmlOf = ({ text, tag }: Piece): string => {
  if (tag) return tag.html
  return text.startsWith('<') ? escapeAll(text) : escapeText(text)
}

/** Takes the tag for text where nothing opens or closes it, or it is out of place. */
function pair(piece: Piece, open: Piece[]): void {
  const { tag } = piece
  if (!tag || empty.has(tag.name)) return
  if (!tag.closes) {
    const parent = open.at(-1)?.tag?.name ?? ''
    const places = parts.get(tag.name)
    const isPlaced = places ? places.split(' ').includes(parent) : !frames.test(parent)
    if (isPlaced && open.length < maxOpen) open.push(piece)
    else piece.tag = null
    return
  }
  const at = open.findLastIndex((other) => other.tag?.name === tag.name)
  if (at === -1) piece.tag = null
  else for (const unclosed of open.splice(at).slice(1)) unclosed.tag = null
}

/** A tag that is allowed, as safe markup; null for any other. */
function readTag(text: string): Tag | null {
  const match = text.length <= maxTag ? wholeTag.exec(text) : null
  const name = match?.[2]?.toLowerCase() ?? ''
  const isAllowed = empty.has(name) || formatting.has(name) || folds.has(name) || parts.has(name)
  if (!match || !isAllowed) return null
  if (match[1]) return match[3] || empty.has(name) ? null : { name, html: `</${name}>`, closes: true }
  const attributes: string[] = []
  for (const [, key = '', quoted = ''] of match[3]!.matchAll(/([a-z]+)(?:=("[^"]*"|'[^']*'|\S+))?/gi)) {
    const attribute = key.toLowerCase()
    const value = quoted.replace(/^["']|["']$/g, '')
    if (!attributesOf(name).includes(attribute) || !values[attribute]!.test(value)) return null
    attributes.push(` ${attribute}="${attribute === 'id' ? idPrefix : ''}${escapeText(value)}"`)
  }
  return { name, html: `<${name}${attributes.join('')}>`, closes: false }
}

function attributesOf(name: string): readonly string[] {
  if (name === 'abbr') return ['id', 'title']
  if (name === 'details') return ['id', 'open']
  if (name === 'td' || name === 'th') return ['id', 'align', 'colspan', 'rowspan']
  return parts.has(name) ? ['id', 'align'] : ['id']
}
