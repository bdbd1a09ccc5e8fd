// Finds the links inside a Markdown text: [[wikilinks]] in all of Obsidian's forms, and Markdown links to files.
// Code, fenced or inline, holds no links.

import { splitFrontMatter } from '../text/front-matter.ts'
import { maskCode } from '../text/mask-code.ts'
import { normalizeName } from '../text/normalize-name.ts'

export type ExtractedLink = {
  /** Normalised; empty for a link to a heading of the same text. */
  name: string
  label: string | null
  /** The heading, or `^block`, after the `#`. */
  heading: string | null
  /** `![[…]]`: the target is shown in place. */
  embed: boolean
}

const most = 2000
export const wikilink = /(!?)\[\[([^[\]\n|#]*)(?:#([^[\]\n|]*))?(?:\\?\|([^[\]\n]*))?\]\]/g
export const markdownLink = /(!?)\[([^[\]\n]*)\]\((?:<([^<>\n]+)>|([^()\s<>]+))\)/g

/** The links of a text in the order in which they stand, at most 2,000. */
export function extractLinks(text: string): ExtractedLink[] {
  const { searched } = readLinked(text)
  const found = [
    ...matches(searched, wikilink, readWikilink),
    ...matches(searched, markdownLink, readMarkdownLink),
  ]
  return found
    .toSorted((a, b) => a.index - b.index)
    .slice(0, most)
    .map(({ link }) => link)
}

/** What of a text is searched for links, each character in its place, and where the front matter ends. */
export function readLinked(text: string): { searched: string; start: number } {
  const { raw, content } = splitFrontMatter(text)
  // Front matter is YAML: a wikilink in it counts, a backtick in it is no code.
  return { searched: raw + maskCode(content), start: raw.length }
}

/** The first of them: what is beyond would be cut off behind them in any case. */
function matches(text: string, pattern: RegExp, read: (match: RegExpExecArray) => ExtractedLink | null) {
  const found: { index: number; link: ExtractedLink }[] = []
  for (const match of text.matchAll(pattern)) {
    const link = read(match)
    if (link) found.push({ index: match.index, link })
    if (found.length === most) break
  }
  return found
}

function readWikilink([, bang, target = '', heading, label]: RegExpExecArray): ExtractedLink | null {
  const name = normalizeName(dropEscape(target))
  if (!name && !heading) return null
  return {
    name,
    heading: dropEscape(heading ?? '').trim() || null,
    label: label?.trim() || null,
    embed: bang === '!',
  }
}

function readMarkdownLink([, bang, label, pointed, bare]: RegExpExecArray): ExtractedLink | null {
  const [path = '', heading] = (pointed ?? bare ?? '').split('#')
  const name = fileName(path)
  if (!name) return null
  return { name, heading: heading ? decode(heading) : null, label: label || null, embed: bang === '!' }
}

/** The name that a path in a Markdown link looks for; '' for no file of the folder. */
export function fileName(path: string): string {
  // With a scheme, from the root of a server, or within the page.
  if (/^([a-z][a-z0-9+.-]*:|\/|#)/i.test(path)) return ''
  return normalizeName(decode(path).replace(/^(\.\.?\/)+/, ''))
}

// In a table the bar before a label is escaped, and the backslash ends up behind the name.
export const dropEscape = (text: string) => text.replace(/\\$/, '')

function decode(text: string): string {
  try {
    return decodeURIComponent(text)
  } catch {
    return text
  }
}
