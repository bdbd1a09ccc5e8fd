// Raw HTML in a text: a few harmless tags with a few harmless attributes are markup, where each is closed beside where
// it was opened, and links and pictures are what they are in Markdown. Everything else stays text that one can read, so that nothing is hidden by being HTML.

import type { Token, Tokens } from 'marked'
import { imageHtml, type LinkScope, linkHtml } from './links.ts'
import { escapeAll, escapeText } from './syntax.ts'

/** `end`: what closes it. */
type Tag = { name: string; html: string; closes: boolean; end?: string }
type Piece = { text: string; tag: Tag | null }

const empty = new Set(['br', 'wbr', 'img', 'hr'])
const formatting = new Set(
  'sub sup kbd mark del ins u s small b i em strong abbr span font q cite samp var'.split(' '),
)
const folds = new Set(['details', 'summary'])
/** Blocks, which would end the paragraph that they stand in. */
const boxes = new Set(
  'div p center blockquote ul ol dl figure figcaption h1 h2 h3 h4 h5 h6 section article header footer'.split(
    ' ',
  ),
)
/** In these stand items alone, and items in these. */
const lists = new Map([
  ['li', 'ul ol'],
  ['dt', 'dl'],
  ['dd', 'dl'],
])
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

/** Left out: a text has the looks of the app. */
const looks = new Set(['style', 'class', 'color', 'size', 'face', 'width', 'height', 'lang', 'dir', 'border'])

/** Before the ids of a text, so that they are none of the app's. */
const idPrefix = 'text-'

/** Longer tags are text. */
const maxTag = 400
const maxOpen = 50

const wholeTag = /^<(\/?)([a-z]+[1-6]?)((?:\s+[a-z]+(?:=(?:"[^"]*"|'[^']*'|[^\s"'=`]+))?)*)\s*\/?>$/i

/** Finds out which raw tags in a list of tokens, and in those within them, are markup: each gets its safe `markup`. */
export function readRawHtml(tokens: readonly Token[], scope: LinkScope): void {
  const open: Piece[] = []
  const read: { token: Token; pieces: Piece[] }[] = []
  for (const token of tokens) {
    for (const list of listsIn(token)) readRawHtml(list, scope)
    if (token.type !== 'html') continue
    const isBlock = 'block' in token && token.block === true
    const pieces = piecesOf(token.raw, isBlock, scope)
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

function piecesOf(text: string, isBlock: boolean, scope: LinkScope): Piece[] {
  return (text.match(/<[^<>]*>|[^<]+|</g) ?? []).map((piece) => {
    const tag = piece.startsWith('<') ? readTag(piece, scope) : null
    // A table or a box would end the paragraph that it stands in.
    const isBox =
      tag !== null && (parts.has(tag.name) || boxes.has(tag.name) || lists.has(tag.name) || tag.name === 'hr')
    return { text: piece, tag: isBlock || !isBox ? tag : null }
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
    const places = parts.get(tag.name) ?? lists.get(tag.name)
    const isPlaced = places ? places.split(' ').includes(parent) : !frames.test(parent)
    if (isPlaced && open.length < maxOpen) open.push(piece)
    else piece.tag = null
    return
  }
  const at = open.findLastIndex((other) => other.tag?.name === tag.name)
  if (at === -1) {
    piece.tag = null
    return
  }
  tag.html = open[at]?.tag?.end ?? tag.html
  for (const unclosed of open.splice(at).slice(1)) unclosed.tag = null
}

/** A tag that is allowed, as safe markup; null for any other. */
function readTag(text: string, scope: LinkScope): Tag | null {
  const match = text.length <= maxTag ? wholeTag.exec(text) : null
  const name = match?.[2]?.toLowerCase() ?? ''
  if (match && !match[1] && (name === 'img' || name === 'a')) return readLink(name, match[3]!, scope)
  const isAllowed =
    name === 'a' || [empty, formatting, folds, parts, boxes, lists].some((names) => names.has(name))
  if (!match || !isAllowed) return null
  if (match[1]) return match[3] || empty.has(name) ? null : { name, html: `</${name}>`, closes: true }
  const attributes: string[] = []
  for (const [, key = '', quoted = ''] of match[3]!.matchAll(/([a-z]+)(?:=("[^"]*"|'[^']*'|\S+))?/gi)) {
    const attribute = key.toLowerCase()
    if (looks.has(attribute)) continue
    const value = quoted.replace(/^["']|["']$/g, '')
    if (!attributesOf(name).includes(attribute) || !values[attribute]!.test(value)) return null
    attributes.push(` ${attribute}="${attribute === 'id' ? idPrefix : ''}${escapeText(value)}"`)
  }
  return { name, html: `<${name}${attributes.join('')}>`, closes: false }
}

/** A picture or the start of a link. Other attributes of it are left out. */
function readLink(name: 'img' | 'a', given: string, scope: LinkScope): Tag | null {
  const said = new Map<string, string>()
  for (const [, key = '', , double, single, bare] of given.matchAll(attribute))
    said.set(key.toLowerCase(), withoutEntities(double ?? single ?? bare ?? ''))
  const address = said.get(name === 'img' ? 'src' : 'href')
  // One that would run something is shown as what it is.
  const isSafe = !given.includes(between) && ![...said.keys()].some((key) => key.startsWith('on'))
  if (!address || !isSafe) return null
  if (name === 'img') {
    const size = [said.get('width'), said.get('height')].filter(Boolean).join('x')
    const alt = said.get('alt') ?? ''
    return { name, html: imageHtml(address, size ? `${alt}|${size}` : alt, scope), closes: false }
  }
  const title = said.get('title') ?? null
  const [html = '', end = ''] = linkHtml(address, { title, label: between, scope }).split(between)
  // What leads nowhere that is allowed stays text.
  return html.startsWith('<span title') ? null : { name, html, end, closes: false }
}

const attribute = /([a-z]+)(=(?:"([^"]*)"|'([^']*)'|([^\s"'=`]+)))?/gi

/** Stands for the words of a link. */
const between = '\uE002'

const withoutEntities = (text: string) =>
  text.replace(/&(?:amp|lt|gt|quot|#39);/g, (entity) => entities[entity] ?? entity)

const entities: Record<string, string> = {
  '&amp;': '&',
  '&lt;': '<',
  '&gt;': '>',
  '&quot;': '"',
  '&#39;': "'",
}

function attributesOf(name: string): readonly string[] {
  if (name === 'abbr') return ['id', 'title']
  if (name === 'details') return ['id', 'open']
  if (name === 'td' || name === 'th') return ['id', 'align', 'colspan', 'rowspan']
  return parts.has(name) || boxes.has(name) ? ['id', 'align'] : ['id']
}
