// Every link of a Markdown text. Wider than what Void renders as a link: what is plain text here may be a link in
// another program.

import { maskCode } from '../markdown.ts'

/** In characters, of the name of a tag. */
const maxTagName = 40

type Range = { start: number; end: number }

/** The links in the order of their starts. Code has none. Time and memory in proportion to the text. */
export function linkTargets(text: string): LinkTarget[] {
  const masked = maskCode(text)
  const { links: attributes, tags } = htmlAttributes(masked)
  const exact = [
    ...wikilinks(masked),
    ...inlineLinks(masked),
    ...definitions(masked),
    ...attributes,
    ...autolinks(masked),
  ]
  const bare = bareAddresses(masked, [...exact, ...tags])
  return [...exact, ...bare].sort((a, b) => a.start - b.start || b.end - a.end)
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
  return [...text.matchAll(/^ {0,3}\[([^\]\n]{1,1000})\]:[ \t]*(?:\n[ \t]*)?<?([^\s<>]+)/gm)].map((match) =>
    withRange({ kind: 'link', label: match[1]!, target: match[2]! }, rangeOf(match)),
  )
}

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

/** The inline links of a text whose code is masked, in the order of their ends. */
function inlineLinks(text: string): LinkTarget[] {
  const links: LinkTarget[] = []
  const open: Bracket[] = []
  for (const { index, 0: found } of text.matchAll(/\\.|[[\]]/gs)) {
    if (found === '[') open.push({ at: index, nesting: 0 })
    if (found !== ']') continue
    const bracket = open.pop()
    if (!bracket) continue
    const link = linkBetween(text, bracket, index)
    if (link) {
      links.push(link)
      bracket.nesting += 1
    }
    const outer = open.at(-1)
    if (outer) outer.nesting = Math.max(outer.nesting, bracket.nesting)
  }
  return links
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
  /** Its characters in the text: from `start` up to `end`. */
  start: number
  end: number
  /** Where the part with the target begins; `start` for what has no other part. */
  target_start: number
}
