// Every link of a Markdown text. Wider than what Void renders as a link: what is plain text here may be a link in
// another program.

import { maskCode } from './read-links.ts'

/** In characters, of the name of a tag. */
const maxTagName = 40

type Range = { start: number; end: number }

/** The links in the order of their starts. Code has none. Time and memory in proportion to the text. */
export function linkTargets(text: string): LinkTarget[] {
  const masked = maskCode(text)
  const { links: attributes, tags } = htmlAttributes(masked)
  const defined = definitions(masked)
  const bracketed = bracketLinks(masked, defined, text)
  const exact = [...wikilinks(masked), ...bracketed.inline, ...defined, ...attributes, ...autolinks(masked)]
  const bare = bareAddresses(masked, [...exact, ...tags, ...bracketed.places])
  return [...exact, ...bracketed.references, ...bare].sort((a, b) => a.start - b.start || b.end - a.end)
}

type Found = Pick<LinkTarget, 'kind' | 'label' | 'target'>

const withRange = (found: Found, { start, end }: Range): LinkTarget => ({
  ...found,
  start,
  end,
  target_start: start,
})

const rangeOf = (match: RegExpExecArray): Range => ({
  start: match.index,
  end: match.index + match[0].length,
})

function wikilinks(text: string): LinkTarget[] {
  return [...text.matchAll(/(!?)\[\[([^[\]\n|]*)(?:\\?\|([^[\]\n]*))?\]\]/g)].map((match) => {
    const target = match[2]!.replace(/\\$/, '').trim()
    const kind = match[1] === '!' ? 'embed' : 'wikilink'
    return withRange({ kind, label: match[3]?.trim() || target, target }, rangeOf(match))
  })
}

function definitions(text: string): LinkTarget[] {
  return [...text.matchAll(definition)].map((match) =>
    withRange({ kind: 'link', label: match[1]!, target: match[2]! }, rangeOf(match)),
  )
}

/** Also in quotations and lists. */
const definition =
  /^(?:[ \t]{0,9}(?:>|[-*+]|\d{1,9}[.)]))*[ \t]{0,9}\[((?:\\.|[^\]\\\n]){1,1000})\]:[ \t]*(?:\n[ \t]*)?<?([^\s<>]+)/gm

/** The addresses in attributes, labelled with the name of the tag, and the tags that have one. */
function htmlAttributes(text: string): { links: LinkTarget[]; tags: Range[] } {
  const links: LinkTarget[] = []
  const tags: Range[] = []
  for (const tag of text.matchAll(/<([a-z][a-z0-9]*)[^<>]*/gi)) {
    const label = tag[1]!.slice(0, maxTagName).toLowerCase()
    const found = links.length
    for (const match of tag[0].matchAll(attribute)) {
      const start = tag.index + match.index
      const target = match[1] ?? match[2] ?? match[3] ?? ''
      links.push(withRange({ kind: 'html', label, target }, { start, end: start + match[0].length }))
    }
    if (links.length > found) tags.push(rangeOf(tag))
  }
  return { links, tags }
}

const attribute =
  /\b(?:href|src|srcset|action|formaction|poster|background|data)\s*=\s*(?:"([^"]*)"|'([^']*)'|([^\s"'>]+))/gi

function autolinks(text: string): LinkTarget[] {
  return [...text.matchAll(/<([a-z][a-z0-9+.-]{1,31}:[^\s<>]*)>/gi)].map((match) =>
    withRange({ kind: 'link', label: match[1]!, target: match[1]! }, rangeOf(match)),
  )
}

/** Addresses outside of the links that are already found. */
function bareAddresses(text: string, links: readonly Range[]): LinkTarget[] {
  const covered = links.toSorted((a, b) => a.start - b.start)
  let next = 0
  let reached = 0
  return [...text.matchAll(/(?:\b(?:https?|ftp|file):\/\/|\bwww\.)[^\s<>"'`)\]|]+/gi)].flatMap((match) => {
    while (next < covered.length && covered[next]!.start <= match.index) {
      reached = Math.max(reached, covered[next]!.end)
      next++
    }
    if (match.index < reached) return []
    const address = withoutPunctuation(match[0])
    const target = /^www\./i.test(address) ? `http://${address}` : address
    const range = { start: match.index, end: match.index + address.length }
    return [withRange({ kind: 'link', label: address, target }, range)]
  })
}

function withoutPunctuation(address: string): string {
  let end = address.length
  while (end > 0 && '.,;:!?*_~'.includes(address[end - 1]!)) end--
  return address.slice(0, end)
}

// `[label](target)` and `![label](target)`, also where CommonMark has none: within the label of another link.

/** CommonMark's limit for parentheses within a target. */
const maxParentheses = 32

/** In characters. A label that holds links within links within links is shorter, or labels would add up to n². */
const maxLabel = 1000

const maxNestedLabel = 100

const maxNesting = 4

/** An opening bracket, and how deep links are nested in what follows it. */
type Bracket = { at: number; nesting: number }

type BracketLinks = {
  /** In the order of their ends. */
  inline: LinkTarget[]
  /** Those whose target is given elsewhere: `[label][name]`, `[label][]`, `[label]`. */
  references: LinkTarget[]
  /** Where those stand. */
  places: Range[]
}

/** The links in brackets of a text whose code is masked. `original`: that text, for the labels. */
function bracketLinks(text: string, defined: readonly LinkTarget[], original: string): BracketLinks {
  const found: BracketLinks = { inline: [], references: [], places: [] }
  const byName = new Map(defined.toReversed().map((each) => [referenceName(each.label), each]))
  const openings = new Set(defined.map(({ start, label }) => text.indexOf('[', start) + label.length + 1))
  const open: Bracket[] = []
  let named = -1
  for (const { index, 0: sign } of text.matchAll(/\\.|[[\]]/gs)) {
    if (sign === '[') open.push({ at: index, nesting: 0 })
    if (sign !== ']') continue
    const bracket = open.pop()
    if (!bracket) continue
    const link = linkBetween(text, bracket, index)
    if (link) {
      const from = bracket.at + 1
      link.label = original.slice(from, from + link.label.length)
      found.inline.push(link)
      bracket.nesting += 1
    } else if (byName.size > 0 && index !== named && !openings.has(index)) {
      const reference = referenceBetween(text, { at: bracket.at, close: index }, byName)
      if (reference) {
        const label = original.slice(bracket.at + 1, index)
        found.references.push({ ...reference.link, label })
        found.places.push({ start: bracket.at, end: reference.end })
        named = reference.end - 1
      }
    }
    const outer = open.at(-1)
    if (outer) outer.nesting = Math.max(outer.nesting, bracket.nesting)
  }
  return found
}

const referenceName = (label: string): string => label.trim().replace(/\s+/g, ' ').toLowerCase()

/** Its target is where it is defined. Of pictures, `warnRemoteImages` says that they are. */
function referenceBetween(
  text: string,
  { at, close }: { at: number; close: number },
  byName: ReadonlyMap<string, LinkTarget>,
): { link: LinkTarget; end: number } | null {
  if (text[at - 1] === '!' || text[at + 1] === '^' || close - at > maxLabel) return null
  const label = text.slice(at + 1, close)
  const [whole = '', given = ''] =
    /^\[((?:\\.|[^[\]\\]){0,1000})\]/s.exec(text.slice(close + 1, close + maxLabel)) ?? []
  // The name of a reference holds no brackets.
  if (given === '' && /(?<!\\)\[/.test(label)) return null
  const defined = byName.get(referenceName(given || label))
  if (!defined) return null
  const { target, start: target_start, end } = defined
  return {
    link: { kind: 'link', label, target, start: at, end, target_start },
    end: close + 1 + whole.length,
  }
}

function linkBetween(text: string, { at: open, nesting }: Bracket, close: number): LinkTarget | null {
  if (text[close + 1] !== '(') return null
  let from = close + 2
  while (isSpace(text[from])) from++
  const end = targetEnd(text, from)
  if (end === from) return null
  const isImage = text[open - 1] === '!'
  return {
    kind: isImage ? 'image' : 'link',
    label: text.slice(
      open + 1,
      Math.min(close, open + 1 + (nesting < maxNesting ? maxLabel : maxNestedLabel)),
    ),
    target: text[from] === '<' ? text.slice(from + 1, end - 1) : text.slice(from, end),
    start: isImage ? open - 1 : open,
    end,
    target_start: close,
  }
}

const isSpace = (character: string | undefined) =>
  character === ' ' || character === '\t' || character === '\n'

/** A target ends behind its `>`, at white space, or at the parenthesis that closes the link; at `from` it is none. */
function targetEnd(text: string, from: number): number {
  if (text[from] === '<') {
    return from + (/^<[^<>\n]{0,10000}>/.exec(text.slice(from, from + 10_002))?.[0].length ?? 0)
  }
  let depth = 0
  for (let at = from; at < text.length; at++) {
    const character = text[at]!
    if (character === '\\') at++
    else if (character === '(' && ++depth > maxParentheses) return from
    else if (character === ')' && depth-- === 0) return at
    else if (character === '<' || isSpace(character)) return at
  }
  return text.length
}

/** A place in a Markdown text from which a reader could be led somewhere. */
export type LinkTarget = {
  kind: 'link' | 'image' | 'wikilink' | 'embed' | 'html'
  /** What a reader sees of it, or the beginning of that; the target for a bare address. */
  label: string
  /** As it is written. */
  target: string
  /** Where it begins in the text. */
  start: number
  /** Where the part with the target begins, which for a reference is elsewhere; `start` for what has no other part. */
  target_start: number
  /** Where that part ends. */
  end: number
}
