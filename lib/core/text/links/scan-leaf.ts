// The inline tokens of running text that matter to links, as CommonMark reads them: code spans, escapes, HTML, formulas,
// brackets with their destinations; and [[wikilinks]], in which nothing else is read. One pass over the text.

import { formulaAt } from '../formulas.ts'
import { blockReferenceAt, embedOpening } from './block-reference.ts'
import { definitionAt, destinationIn, maxReference } from './destination-at.ts'
import type { InlineLink } from './inline-link.ts'
import type { Range } from './read-blocks.ts'

/** `verbatim`: comments and formulas. */
export type LeafTokens = { links: InlineLink[]; code: Range[]; verbatim: Range[] }

/** `plain`: neither code nor HTML, as in front matter. `defined`: the names that definitions have, normalized. */
export type LeafOptions = { plain?: boolean; defined: ReadonlySet<string> }

type Bracket = { at: number; isImage: boolean; holdsBrackets: boolean }

const maxFormula = 5000
const maxTag = 10_000

const wikilink = /(?:\[\[)([^[\]\n|]{0,10000}?)(?:\\?\|((?:[^[\]\n]|\[[^[\]\n]*\]){0,2000}))?\]\]/y
const autolink = /<[a-z][a-z0-9+.-]{1,31}:[^\s<>]*>/iy
const tag = /<\/?[a-z][a-z0-9-]*(?:\s+[a-z_:][\w.:-]*(?:\s*=\s*(?:[^\s"'=<>`]+|'[^']*'|"[^"]*"))?)*\s*\/?>/iy
const attribute = /\s(href|src)\s*=\s*(?:"([^"]*)"|'([^']*)'|([^\s"'=<>`]+))/gi

/** The name of a reference in the form in which names are compared. */
export const referenceName = (label: string): string => label.trim().replace(/\s+/g, ' ').toLowerCase()

export function scanLeaf(text: string, { plain = false, defined }: LeafOptions): LeafTokens {
  const scan = new Scan(text, plain, defined)
  return scan.run()
}

class Scan {
  readonly #text: string
  readonly #plain: boolean
  readonly #defined: ReadonlySet<string>
  readonly #links: InlineLink[] = []
  readonly #code: Range[] = []
  readonly #verbatim: Range[] = []
  readonly #open: Bracket[] = []
  /** Brackets below this one hold a link, and so are none. */
  #inactive = 0
  readonly #closings: ReadonlyMap<number, number>
  #hasComment = true

  constructor(text: string, plain: boolean, defined: ReadonlySet<string>) {
    this.#text = text
    this.#plain = plain
    this.#defined = defined
    this.#closings = plain ? new Map() : codeSpans(text)
  }

  run(): LeafTokens {
    const text = this.#text
    const special = /[\\`$<[\]]|\(\((?=[0-9a-f]{8}-)/gi
    let at = this.#plain ? 0 : this.#definitions()
    for (;;) {
      special.lastIndex = at
      const sign = special.exec(text)
      if (!sign) break
      at = this.#step(sign[0], sign.index)
    }
    this.#links.sort((one, other) => one.start - other.start || other.end - one.end)
    return { links: this.#links, code: this.#code, verbatim: this.#verbatim }
  }

  /** Reads what begins here; where the rest begins. */
  #step(sign: string, at: number): number {
    if (sign === '((') return this.#blockReference(at)
    if (sign === '[') return this.#openBracket(at)
    if (sign === ']') return this.#closeBracket(at)
    if (this.#plain) return at + (sign === '\\' && this.#text[at + 1] !== '|' ? 2 : 1)
    if (sign === '\\') return at + 2
    if (sign === '`') return this.#codeSpan(at)
    if (sign === '<') return this.#html(at)
    const formula = formulaAt(this.#text.slice(at, at + maxFormula))
    return formula ? this.#skip(this.#verbatim, at, at + formula.raw.length) : at + 1
  }

  #skip(ranges: Range[], start: number, end: number): number {
    ranges.push({ start, end })
    return end
  }

  #codeSpan(at: number): number {
    const end = this.#closings.get(at)
    if (end !== undefined) return this.#skip(this.#code, at, end)
    let next = at
    while (this.#text[next] === '`') next++
    return next
  }

  #html(at: number): number {
    const text = this.#text
    if (text.startsWith('<!--', at)) {
      const end = this.#hasComment ? text.indexOf('-->', at + 2) : -1
      this.#hasComment = end >= 0
      return end < 0 ? at + 1 : this.#skip(this.#verbatim, at, end + 3)
    }
    autolink.lastIndex = at
    const address = autolink.exec(text)
    if (address) return at + address[0].length
    const [found] = tagAt(text, at)
    if (found === undefined) return at + 1
    this.#links.push(...attributeLinks(found, at))
    return at + found.length
  }

  #blockReference(at: number): number {
    const found = blockReferenceAt(this.#text, at)
    if (!found) return at + 1
    const { id: destination, end } = found
    this.#links.push({ kind: 'block', embed: true, label: '', destination, at: at + 2, start: at, end })
    return end
  }

  #openBracket(at: number): number {
    const text = this.#text
    const isImage = text[at - 1] === '!' && !isEscaped(text, at - 1)
    const link = text[at + 1] === '[' ? wikilinkAt(text, at) : null
    if (link) {
      const start = isImage ? at - 1 : at
      const embed = isImage || text.endsWith(embedOpening, at)
      this.#links.push({ ...link, kind: 'wiki', embed, start })
      const outer = this.#open.at(-1)
      if (outer) outer.holdsBrackets = true
      return link.end
    }
    this.#open.push({ at, isImage, holdsBrackets: false })
    return at + 1
  }

  #closeBracket(at: number): number {
    const bracket = this.#open.pop()
    const depth = this.#open.length
    const isActive = bracket?.isImage || depth >= this.#inactive
    this.#inactive = Math.min(this.#inactive, depth)
    const outer = this.#open.at(-1)
    if (outer) outer.holdsBrackets = true
    const link = bracket && isActive ? this.#linkBetween(bracket, at) : null
    if (!link || !bracket) return at + 1
    this.#links.push(link)
    // A link holds no links; a picture may stand in one.
    if (!bracket.isImage) this.#inactive = depth
    return link.end
  }

  #linkBetween(bracket: Bracket, close: number): InlineLink | null {
    const text = this.#text
    const label = text.slice(bracket.at + 1, Math.min(close, bracket.at + 1 + maxReference))
    const start = bracket.isImage ? bracket.at - 1 : bracket.at
    const shared = { start, embed: bracket.isImage, label }
    const inline = text[close + 1] === '(' ? destinationIn(text, close + 2) : null
    if (inline) return { ...shared, ...inline, kind: 'inline' }
    if (this.#plain || this.#defined.size === 0) return null
    const full = /^\[((?:\\.|[^[\]\\]){0,1000})\]/s.exec(text.slice(close + 1, close + 2 + maxReference))
    const named = full?.[1]?.trim() ? full[1] : null
    if (named === null && (bracket.holdsBrackets || close - bracket.at > maxReference)) return null
    const name = referenceName(named ?? label)
    if (!this.#defined.has(name)) return null
    const end = close + 1 + (full ? full[0].length : 0)
    return { ...shared, kind: 'reference', destination: name, at: start, end }
  }

  /** Reads the definitions that a paragraph begins with; where the rest begins. */
  #definitions(): number {
    let at = 0
    for (;;) {
      const found = definitionAt(this.#text, at)
      if (!found) return at
      this.#links.push(found)
      at = found.end
    }
  }
}

function isEscaped(text: string, at: number): boolean {
  let marks = 0
  while (text[at - 1 - marks] === '\\') marks++
  return marks % 2 === 1
}

function wikilinkAt(text: string, start: number) {
  wikilink.lastIndex = start
  const match = wikilink.exec(text)
  if (!match) return null
  const [raw, destination = '', label = ''] = match
  return { destination, label, at: start + 2, end: start + raw.length }
}

function tagAt(text: string, at: number): string[] {
  const piece = text.slice(at, at + maxTag)
  tag.lastIndex = 0
  return tag.exec(piece) ?? []
}

/** Where a picture or a link in HTML leads. */
function attributeLinks(element: string, start: number): InlineLink[] {
  const name = /^<([a-z]+)/i.exec(element)?.[1]?.toLowerCase()
  const wanted = { a: 'href', img: 'src' }[name ?? '']
  return [...element.matchAll(attribute)].flatMap((match) => {
    if (match[1]!.toLowerCase() !== wanted) return []
    const destination = match[2] ?? match[3] ?? match[4] ?? ''
    const quote = match[4] === undefined ? 1 : 0
    const at = start + match.index + match[0].length - destination.length - quote
    const end = start + element.length
    return [{ kind: 'attribute', embed: name === 'img', label: '', destination, at, start, end }]
  })
}

/** The links in the tags of a block of HTML. */
export function htmlLinks(text: string): InlineLink[] {
  const links: InlineLink[] = []
  for (let at = text.indexOf('<'); at >= 0; ) {
    const [found] = tagAt(text, at)
    if (found !== undefined) links.push(...attributeLinks(found, at))
    at = text.indexOf('<', at + (found?.length ?? 1))
  }
  return links
}

/** Where each code span ends, by where it begins: from some backticks to the next run of as many. */
export function codeSpans(text: string): Map<number, number> {
  const runs: { at: number; length: number }[] = []
  for (let at = text.indexOf('`'); at >= 0; ) {
    let end = at + 1
    while (text[end] === '`') end++
    runs.push({ at, length: end - at })
    at = text.indexOf('`', end)
  }
  const next = new Map<number, number>()
  const spans = new Map<number, number>()
  for (const { at, length } of runs.toReversed()) {
    const closing = next.get(length)
    if (closing !== undefined) spans.set(at, closing + length)
    next.set(length, at)
  }
  return spans
}
