// Every place in a Markdown text from which a reader could be led somewhere, with the target as it is written. Wider
// than what Void renders as a link: what is shown as text today may be a link in another program.

import { maskCode } from './mask-code.ts'

export type LinkTarget = {
  kind: 'link' | 'image' | 'wikilink' | 'embed' | 'html'
  /** What a reader sees of it; the target for a bare address. */
  label: string
  target: string
  /** Its characters in the text: from `start` up to `end`. */
  start: number
  end: number
}

/** As CommonMark has it: brackets within an address. */
const deepest = 32

/** The targets in the order in which they stand. Code holds none. Takes time in proportion to the text. */
export function linkTargets(text: string): LinkTarget[] {
  const searched = maskCode(text)
  const exact = [
    ...wikilinks(searched),
    ...inlineLinks(searched),
    ...definitions(searched),
    ...htmlAttributes(searched),
    ...autolinks(searched),
  ]
  return [...exact, ...bareAddresses(searched, exact)].sort((a, b) => a.start - b.start || b.end - a.end)
}

/** The server a target leads to, in lower case and as it is asked for (`xn--…`); `null` for a target within Void. */
export function hostOf(target: string): string | null {
  const address = decodeTarget(target)
  const mail = /^mailto:[^?]*@([^?,\s]+)/i.exec(address)
  if (mail) return mail[1]!.toLowerCase()
  const absolute = /^[\\/]{2}/.test(address) ? `https:${address}` : address
  if (!/^[a-z][a-z0-9+.-]*:[\\/]/i.test(absolute)) return null
  return URL.parse(absolute)?.hostname || null
}

/** A target without what Markdown and HTML let one write differently: escapes, entities, white space within. */
export function decodeTarget(target: string): string {
  return target
    .replace(/&#(\d{1,7});?/g, (_, digits) => fromCode(Number(digits)))
    .replace(/&#x([0-9a-f]{1,6});?/gi, (_, digits) => fromCode(Number.parseInt(digits, 16)))
    .replace(
      /&(colon|sol|period|amp|tab|newline);/gi,
      (_, name: string) => entities[name.toLowerCase()] ?? '',
    )
    .replace(/\\([!-/:-@[-`{-~])/g, '$1')
    .replace(/[\t\n\r]/g, '')
    .trim()
}

const entities: Record<string, string> = {
  colon: ':',
  sol: '/',
  period: '.',
  amp: '&',
  tab: '\t',
  newline: '\n',
}

const fromCode = (point: number) => (point > 0 && point <= 0x10ffff ? String.fromCodePoint(point) : '')

function wikilinks(text: string): LinkTarget[] {
  return [...text.matchAll(/(!?)\[\[([^[\]\n|]*)(?:\\?\|([^[\]\n]*))?\]\]/g)].map((match) => {
    const target = match[2]!.replace(/\\$/, '').trim()
    const kind = match[1] === '!' ? ('embed' as const) : ('wikilink' as const)
    return { kind, label: match[3]?.trim() || target, target, ...span(match) }
  })
}

function inlineLinks(text: string): LinkTarget[] {
  const opening = bracketPairs(text)
  return [...text.matchAll(/\]\([ \t\n]*/g)].flatMap((match) => {
    const open = opening.get(match.index)
    if (open === undefined) return []
    const from = match.index + match[0].length
    const end = destinationEnd(text, from)
    if (end === from) return []
    const isImage = text[open - 1] === '!'
    const target = text.slice(from, end).replace(/^<(.*)>$/, '$1')
    const label = text.slice(open + 1, match.index)
    return [{ kind: isImage ? 'image' : 'link', label, target, start: isImage ? open - 1 : open, end }]
  })
}

/** For each closing bracket, where its opening one stands; escaped ones are none. */
function bracketPairs(text: string): Map<number, number> {
  const open: number[] = []
  const pairs = new Map<number, number>()
  for (const { index } of text.matchAll(/(?<!\\)[[\]]/g)) {
    if (text[index] === '[') open.push(index)
    else if (open.length > 0) pairs.set(index, open.pop()!)
  }
  return pairs
}

/** Where a destination ends: at its `>`, at white space, or at the bracket that closes the link. */
function destinationEnd(text: string, from: number): number {
  if (text[from] === '<') {
    return from + (/^<[^<>\n]{0,10000}>/.exec(text.slice(from, from + 10_002))?.[0].length ?? 0)
  }
  let depth = 0
  for (let at = from; at < text.length; at++) {
    const character = text[at]!
    if (character === '\\') at++
    else if (character === '(' && ++depth > deepest) return from
    else if (character === ')' && depth-- === 0) return at
    else if (character === '<' || character === ' ' || character === '\t' || character === '\n') return at
  }
  return text.length
}

function definitions(text: string): LinkTarget[] {
  return [...text.matchAll(/^ {0,3}\[([^\]\n]{1,1000})\]:[ \t]*\n?[ \t]*<?([^\s<>]+)/gm)].map((match) => ({
    kind: 'link' as const,
    label: match[1]!,
    target: match[2]!,
    ...span(match),
  }))
}

function htmlAttributes(text: string): LinkTarget[] {
  return [...text.matchAll(/<[a-z][^<>]*/gi)].flatMap((tag) =>
    [
      ...tag[0].matchAll(
        /\b(?:href|src|srcset|action|formaction|poster|background|data)\s*=\s*(?:"([^"]*)"|'([^']*)'|([^\s"'>]+))/gi,
      ),
    ].map((match) => ({
      kind: 'html' as const,
      label: /^<[a-z0-9]+/i.exec(tag[0])![0].slice(1).toLowerCase(),
      target: match[1] ?? match[2] ?? match[3] ?? '',
      start: tag.index,
      end: tag.index + tag[0].length,
    })),
  )
}

function autolinks(text: string): LinkTarget[] {
  return [...text.matchAll(/<([a-z][a-z0-9+.-]{1,31}:[^\s<>]*)>/gi)].map((match) => ({
    kind: 'link' as const,
    label: match[1]!,
    target: match[1]!,
    ...span(match),
  }))
}

function bareAddresses(text: string, taken: readonly LinkTarget[]): LinkTarget[] {
  const covered = taken.toSorted((a, b) => a.start - b.start)
  let next = 0
  let reached = 0
  return [...text.matchAll(/(?:\b(?:https?|ftp|file):\/\/|\bwww\.)[^\s<>"'`)\]|]+/gi)].flatMap((match) => {
    while (next < covered.length && covered[next]!.start <= match.index) {
      reached = Math.max(reached, covered[next]!.end)
      next++
    }
    if (match.index < reached) return []
    const address = match[0].replace(/[.,;:!?*_~]+$/, '')
    const target = /^www\./i.test(address) ? `http://${address}` : address
    return [
      {
        kind: 'link' as const,
        label: address,
        target,
        start: match.index,
        end: match.index + address.length,
      },
    ]
  })
}

const span = (match: RegExpExecArray) => ({ start: match.index, end: match.index + match[0].length })
