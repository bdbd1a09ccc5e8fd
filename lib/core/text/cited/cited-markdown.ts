// An answer as Markdown that stands by itself, without Void: the numbers of its citations link to their sources, which
// are listed below it.

import { cleanLine } from '../clean.ts'
import { plainText } from '../plain-text.ts'
import { stripEmbeds } from '../split-note.ts'

export type CitedPassage = {
  n: number
  /** Where the words end in the answer that it supports. */
  end: number
  kind: string
  id: string | null
  title: string
  cited_text: string
  checked: boolean
}

const maxQuote = 300

/** `hrefOf`: where the passage is shown; `null` for one without an address. */
export function citedMarkdown<Passage extends CitedPassage>(
  text: string,
  citations: readonly Passage[],
  hrefOf: (passage: Passage) => string | null,
): string {
  const byNumber = new Map(citations.toReversed().map((passage) => [passage.n, passage]))
  const hrefs = new Map([...byNumber].map(([n, passage]) => [n, inLink(hrefOf(passage))]))
  const pieces: string[] = []
  let done = 0
  for (const { at, numbers, below } of placesOf(text, citations)) {
    const marks = numbers.map((n) => markOf(n, hrefs.get(n) ?? null)).join('')
    // A mark below a fence would be in the code; the list below names the source all the same.
    pieces.push(text.slice(done, at), below ? '' : ` ${marks}`)
    done = at
  }
  const body = pieces.join('') + text.slice(done)
  const sources = [...byNumber.values()].toSorted((a, b) => a.n - b.n)
  return sources.length === 0
    ? body
    : `${body.trimEnd()}\n\nSources:\n\n${sources.map((source) => sourceLine(source, hrefs.get(source.n) ?? null)).join('\n')}`
}

/** Parentheses would end the target of a link. */
const inLink = (href: string | null) => href?.replaceAll('(', '%28').replaceAll(')', '%29') ?? null

const markOf = (n: number, href: string | null) => (href ? `[\\[${n}\\]](${href})` : `\\[${n}\\]`)

function sourceLine({ n, title, cited_text, checked }: CitedPassage, href: string | null): string {
  const name = markdownLine(title) || 'Untitled'
  const quote = markdownLine(cited_text.slice(0, maxQuote).toWellFormed())
  const cut = cited_text.length > maxQuote ? '…' : ''
  return `${n}. ${href ? `[${name}](${href})` : name}: “${quote}${cut}”${checked ? '' : ' (not verified)'}`
}

// Where the marks of citations go in an answer: right where the words end that they support, and nowhere where the
// mark would break the Markdown or be broken by it.

export type Place = {
  /** A position in the answer. */
  at: number
  numbers: readonly number[]
  /** The mark cannot be in that line, so it gets a line of its own below. */
  below: boolean
}

/** The number of a citation, and where the words end in the answer that it supports. */
type Cited = { n: number; end: number }

/** The places of all citations of an answer, in order. */
export function placesOf(text: string, citations: readonly Cited[]): Place[] {
  const inks = lastInks(
    text,
    citations.map(({ end }) => end),
  )
  const settled = Map.groupBy(citations, ({ end }) => inks.get(end) ?? 0)
  let line: Line = { end: 0, fence: Infinity }
  return [...settled]
    .filter(([at]) => at > 0)
    .toSorted(([a], [b]) => a - b)
    .map(([at, cited]) => {
      if (at > line.end) line = lineAt(text, at)
      return { at, numbers: [...new Set(cited.map(({ n }) => n))], below: at >= line.fence }
    })
}

/**
 * For each position the end of the last word before it: white space and the bar that closes a row of a table are passed
 * over, once for all positions.
 */
function lastInks(text: string, positions: readonly number[]): Map<number, number> {
  const inks = new Map<number, number>()
  let passed = 0
  let ink = 0
  for (const position of positions.toSorted((a, b) => a - b)) {
    const end = Math.min(position, text.length)
    let at = end
    while (at > passed && /[\s|]/.test(text[at - 1]!)) at -= 1
    if (at > passed) ink = at
    passed = end
    inks.set(position, ink)
  }
  return inks
}

/** Where a line ends, and from where on a mark in it would be in the line of a fence. */
type Line = { end: number; fence: number }

function lineAt(text: string, at: number): Line {
  const start = text.lastIndexOf('\n', at - 1) + 1
  const end = text.indexOf('\n', at)
  const line = text.slice(start, end === -1 ? undefined : end)
  const fence = /^[\s>]*(?:`{3}|~{3})/.exec(line)
  return { end: start + line.length, fence: fence ? start + fence[0].length : Infinity }
}

export type AddressedEntity = {
  /** Of the Space. */
  slug: string
  /** Of its kind, such as `pages`. */
  segment: string
  id: string
  /** The words that are marked there; empty for none. */
  cite: string
}

/** Where an entity is shown, as a path of this server. */
export const entityAddress = ({ slug, segment, id, cite }: AddressedEntity): string =>
  `/s/${encode(slug)}/${segment}/${encode(id)}${cite ? `?cite=${encode(cite)}` : ''}`

/** What stands as it is in the address of a Markdown link; of text that may be cut anywhere. */
const encode = (text: string): string =>
  encodeURIComponent(text.toWellFormed()).replace(/[()']/g, (sign) => `%${sign.charCodeAt(0).toString(16)}`)

/** A sentence that a model or a source wrote, as one line of Markdown in which nothing links, embeds or formats. */
export const markdownLine = (text: string): string =>
  cleanLine(plainText(stripEmbeds(text)))
    .replace(/[\\[\]<>*`|~]/g, '\\$&')
    .replace(/(?<![\p{L}\p{N}])_|_(?![\p{L}\p{N}])/gu, '\\_')
    .replace(/^(?=[#>+=-]|\d+[.)]\s)/, '\\')
