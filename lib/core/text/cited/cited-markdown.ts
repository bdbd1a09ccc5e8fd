// An answer as Markdown that stands by itself, without Void: the numbers of its citations link to their sources, which
// are listed below it.

import { cleanLine } from '../clean.ts'
import { plainText } from '../markdown.ts'
import { stripEmbeds } from '../split-note.ts'
import { placesOf } from './citation-places.ts'

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
    // The link stands in place of the number in the text, which answers of research have.
    const number = writtenNumbers.exec(text.slice(Math.max(done, at - maxNumbers), at))?.[0] ?? ''
    // A mark below a fence would be in the code; the list below names the source all the same.
    pieces.push(...(below ? [text.slice(done, at)] : [text.slice(done, at - number.length), ` ${marks}`]))
    done = at
  }
  const body = pieces.join('') + text.slice(done)
  const sources = [...byNumber.values()].toSorted((a, b) => a.n - b.n)
  return sources.length === 0
    ? body
    : `${body.trimEnd()}\n\nSources:\n\n${sources.map((source) => sourceLine(source, hrefs.get(source.n) ?? null)).join('\n')}`
}

const writtenNumbers = /(?: \[[WP]?\d{1,4}\])+$/
const maxNumbers = 100

/** Parentheses would end the target of a link. */
const inLink = (href: string | null) => href?.replaceAll('(', '%28').replaceAll(')', '%29') ?? null

const markOf = (n: number, href: string | null) => (href ? `[\\[${n}\\]](${href})` : `\\[${n}\\]`)

function sourceLine({ n, title, cited_text, checked }: CitedPassage, href: string | null): string {
  const name = markdownLine(title) || 'Untitled'
  const quote = markdownLine(cited_text.slice(0, maxQuote).toWellFormed())
  const cut = cited_text.length > maxQuote ? '…' : ''
  return `${n}. ${href ? `[${name}](${href})` : name}: “${quote}${cut}”${checked ? '' : ' (not verified)'}`
}

export type AddressedEntity = {
  /** Of the Space. */
  slug: string
  /** Of its kind, such as `pages`. */
  segment: string
  id: string
  /** The words that are marked there; empty for none. */
  cite: string
  /** Number of the passage that is marked there. Default: none. */
  passage?: number | undefined
}

/** Where an entity is shown, as a path of this server. */
export const entityAddress = ({ slug, segment, id, cite, passage }: AddressedEntity): string =>
  `/s/${encode(slug)}/${segment}/${encode(id)}${cite ? `?cite=${encode(cite)}` : ''}${passage === undefined ? '' : `#passage-${passage}`}`

/** What stands as it is in the address of a Markdown link; of text that may be cut anywhere. */
const encode = (text: string): string =>
  encodeURIComponent(text.toWellFormed()).replace(/[()']/g, (sign) => `%${sign.charCodeAt(0).toString(16)}`)

/** A sentence that a model or a source wrote, as one line of Markdown in which nothing links, embeds or formats. */
export const markdownLine = (text: string): string =>
  cleanLine(plainText(stripEmbeds(text)))
    .replace(/[\\[\]<>*`|~]/g, '\\$&')
    .replace(/(?<![\p{L}\p{N}])_|_(?![\p{L}\p{N}])/gu, '\\_')
    .replace(/^(?=[#>+=-]|\d+[.)]\s)/, '\\')
