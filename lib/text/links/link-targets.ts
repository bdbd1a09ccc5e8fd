// Every link of a Markdown text. Wider than what Void renders as a link: what is plain text here may be a link in
// another program.

import { maskCode } from '../mask-code.ts'
import { inlineLinks } from './inline-links.ts'
import type { LinkTarget } from './link-target.ts'

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
