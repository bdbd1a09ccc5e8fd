// Quotations in a Markdown text: blockquotes, and words between quotation marks that are more than a term.

import { maskCode } from '../../text/mask-code.ts'
import { quoteWords } from './quote-words.ts'

export type FoundQuote = {
  /** The quoted words as they stand there, without the marks around them. */
  text: string
  /** What is said to be their source: the name in a link, or what follows a dash. */
  attributed_to: string | null
  /** The lines it stands in, from 0: `from` up to, not including, `to`. */
  from: number
  to: number
}

/** Fewer words are a term, a title, a word that is meant otherwise. */
const least = { block: 4, marks: 5 }

const longest = 2000

const blockLine = /^ {0,3}>[> ]?/
const link = /!?\[\[([^[\]\n|#]+)[^[\]\n]*\]\]/
const credit = /^\s*(?:[—–]|--?\s|\(?(?:source|from)\b:?)\s*(.+)$/i
const marks =
  /“([^“”]{15,3000})”|„([^„“”]{15,3000})[“”]|«([^«»]{15,3000})»|(?<=^|[\s([{—–-])"(?=\S)([^"]{15,3000}?)(?<=\S)"(?=$|[\s.,;:!?)\]}—–-])/g

/** A quotation as far as it is kept with its check. */
export const shownQuote = (text: string): string => text.slice(0, longest).toWellFormed()

/** The quotations of a text in order. Code holds none. */
export function findQuotes(text: string): FoundQuote[] {
  const lines = maskCode(text)
    .split('\n')
    .map((line) => line.replace(/\r$/, ''))
  const found: FoundQuote[] = []
  let line = 0
  while (line < lines.length) {
    const start = line
    const isBlock = blockLine.test(lines[line]!)
    while (line < lines.length && lines[line]!.trim() !== '' && blockLine.test(lines[line]!) === isBlock)
      line++
    if (line === start) line++
    else if (isBlock) found.push(...blockQuote(lines, start, line))
    else found.push(...markedQuotes(lines.slice(start, line), start))
  }
  return found
}

function blockQuote(lines: readonly string[], from: number, to: number): FoundQuote[] {
  const content = lines.slice(from, to).map((line) => line.replace(/^[ >]*/, ''))
  // A callout of Obsidian is a box, not a quotation.
  if (/^\[!/.test(content[0]!)) return []
  const last = credit.exec(content.at(-1)!)
  if (last && content.length > 1) {
    return quote(content.slice(0, -1).join('\n'), sourceIn(last[1]!), { from, to, least: least.block })
  }
  const body = content.join('\n')
  const at = body.lastIndexOf('[[')
  const named = at < 0 ? null : /^\[\[[^[\]\n]+\]\][\s).]*$/.exec(body.slice(at))
  if (named && at > 0)
    return quote(withoutLead(body, at), sourceIn(named[0]), { from, to, least: least.block })
  return quote(body, creditAround(lines, from, to), { from, to, least: least.block })
}

/** The text before a credit, without the bracket, dash or spaces that lead up to it. */
function withoutLead(text: string, at: number): string {
  let end = at
  while (end > 0 && /[\s(!—–-]/.test(text[end - 1]!)) end--
  return text.slice(0, end)
}

/** Whom the lines around a blockquote name: "— [[Lease]]" below it, "[[Lease]] says:" above. */
function creditAround(lines: readonly string[], from: number, to: number): string | null {
  const below = lines[to]?.trim() === '' ? lines[to + 1] : lines[to]
  const named = below === undefined ? null : credit.exec(below)
  if (named) return sourceIn(named[1]!)
  const above = lines[from - 1]?.trim() === '' ? lines[from - 2] : lines[from - 1]
  return above && /:\s*$/.test(above) ? (link.exec(above)?.[1]?.trim() ?? null) : null
}

function markedQuotes(lines: readonly string[], first: number): FoundQuote[] {
  const text = lines.join('\n')
  const line = createLineCounter(text)
  return [...text.matchAll(marks)].flatMap((match) => {
    const words = match[1] ?? match[2] ?? match[3] ?? match[4] ?? ''
    const from = first + line(match.index)
    const to = from + match[0].split('\n').length
    const before = text.slice(Math.max(0, match.index - 160), match.index)
    const after = text.slice(match.index + match[0].length).slice(0, 160)
    return quote(words, creditBeside(before, after), { from, to, least: least.marks })
  })
}

/** The line of a position, from 0; positions are asked for in rising order. */
function createLineCounter(text: string): (position: number) => number {
  let line = 0
  let next = text.indexOf('\n')
  return (position) => {
    while (next >= 0 && next < position) {
      line++
      next = text.indexOf('\n', next + 1)
    }
    return line
  }
}

/** The link next to the words, behind them first: “…” ([[Lease]]), or: as [[Lease]] says, “…”. */
function creditBeside(before: string, after: string): string | null {
  const behind = /^[\s.,;:!?]*[(—–-]*\s*(?:[\p{L}’' ]{0,30}\s)?!?\[\[([^[\]\n|#]+)[^[\]\n]*\]\]/u.exec(after)
  if (behind) return behind[1]!.trim()
  const sentence = before.split(/[.!?]\s/).at(-1) ?? ''
  return [...sentence.matchAll(new RegExp(link, 'g'))].at(-1)?.[1]?.trim() ?? null
}

const sourceIn = (text: string): string =>
  (link.exec(text)?.[1] ?? text.replace(/[*_)"”]+/g, '').split(/[,;(]/)[0]!).trim()

function quote(
  text: string,
  attributed_to: string | null,
  { from, to, least }: { from: number; to: number; least: number },
): FoundQuote[] {
  const words = text.trim().replace(/^[“"„«]+|[”"“»]+$/g, '')
  if (quoteWords(words).length < least) return []
  return [{ text: words, attributed_to: attributed_to || null, from, to }]
}
