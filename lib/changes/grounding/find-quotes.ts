// Quotations in a Markdown text: blockquotes, also in lists and as callouts, HTML quotes, and words between quotation
// marks that are more than a term. Takes time in proportion to the text.

import { computeHunks } from '../../core/text/diff/hunks.ts'
import { maskCode } from '../../core/text/links/read-links.ts'
import { quoteShownSingly } from '../../core/text/quote-name.ts'
import { quoteWords } from '../../core/text/words/quote-words.ts'
import { creditAround, creditBeside, splitCredit } from './quote-credit.ts'

export type FoundQuote = {
  /** The quoted words as written, without the marks around them. */
  text: string
  /** What is said to be their source: the name in a link, or what follows a dash. */
  attributed_to: string | null
  /** The lines it spans, its credit included, from 0: `from` up to, not including, `to`. */
  from: number
  to: number
  /** The characters it spans, from 0; `end` exclusive. */
  start: number
  end: number
}

/** Fewer words are a term, a title, a word that is meant otherwise; of scripts without spaces, fewer characters. */
const minWords = 4

const minUnspaced = 8

const maxShownChars = 2000

/** A quotation as far as it is stored with its check. */
export const shownQuote = (text: string): string => text.slice(0, maxShownChars).toWellFormed()

const blockLine = /^\s{0,12}(?:(?:[-*+]|\d{1,9}[.)])[ \t]{1,12})?>/

const callout = /^\[!(\w{1,40})\][+-]?/

const quoteCallouts: ReadonlySet<string> = new Set(['quote', 'cite'])

const htmlQuote = /<(\/?)(blockquote|q)\b[^<>]*>/gi

type Text = { masked: string; lines: readonly string[]; starts: readonly number[] }

/** The quotations of a text in order. Code holds none. */
export function findQuotes(text: string): FoundQuote[] {
  const masked = maskCode(text)
  const lines = masked.split('\n')
  const starts: number[] = []
  let start = 0
  for (const line of lines) {
    starts.push(start)
    start += line.length + 1
  }
  const whole = { masked, lines: lines.map((line) => line.replace(/\r$/, '')), starts }
  const found = [...htmlQuotes(whole), ...lineQuotes(whole)]
  return found.toSorted((a, b) => a.start - b.start || b.end - a.end).filter(isOutermost())
}

/** Drops what is within the one before it. */
function isOutermost(): (quote: FoundQuote) => boolean {
  let last = -1
  return ({ end }) => {
    if (end <= last) return false
    last = end
    return true
  }
}

function lineQuotes(text: Text): FoundQuote[] {
  const { lines } = text
  const found: FoundQuote[] = []
  let line = 0
  while (line < lines.length) {
    const from = line
    const isBlock = blockLine.test(lines[line]!)
    while (line < lines.length && lines[line]!.trim() !== '' && blockLine.test(lines[line]!) === isBlock) {
      line++
      if (isBlock && line < lines.length && isNewItem(lines[line]!)) break
    }
    if (line === from) line++
    else if (isBlock) found.push(...blockQuote(text, from, line))
    else found.push(...markedQuotes(text, from, line))
  }
  return found
}

const isNewItem = (line: string): boolean => /^\s{0,12}(?:[-*+]|\d{1,9}[.)])[ \t]{1,12}>/.test(line)

function blockQuote(text: Text, from: number, to: number): FoundQuote[] {
  const content = text.lines.slice(from, to).map((line) => line.replace(blockLine, '').replace(/^[ >]*/, ''))
  const box = callout.exec(content[0]!)
  // A callout of Obsidian is a box; what is quoted in it stands between marks.
  if (box && !quoteCallouts.has(box[1]!.toLowerCase())) return markedQuotes(text, from, to)
  if (box) content[0] = ''
  const inner = splitCredit(content)
  const around = inner.credit === null ? creditAround(text.lines, from, to) : null
  const lines = { from: around?.from ?? from, to: around?.to ?? to }
  const span = { start: text.starts[from]!, end: endOf(text, to - 1) }
  return quote(inner.text, inner.credit ?? around?.name ?? null, { ...lines, ...span })
}

const endOf = ({ starts, lines }: Text, line: number): number => starts[line]! + lines[line]!.length

function markedQuotes(text: Text, from: number, to: number): FoundQuote[] {
  const first = text.starts[from]!
  const paragraph = text.masked.slice(first, endOf(text, to - 1))
  return findMarkedSpans(paragraph).flatMap(({ start, end }) =>
    between(text, { start: first + start, end: first + end, inner: paragraph.slice(start + 1, end - 1) }),
  )
}

function htmlQuotes(text: Text): FoundQuote[] {
  const found: FoundQuote[] = []
  let open: RegExpExecArray | null = null
  for (const tag of text.masked.matchAll(htmlQuote)) {
    if (tag[1] === '') open ??= tag
    else if (open && open[2]!.toLowerCase() === tag[2]!.toLowerCase()) {
      const inner = text.masked.slice(open.index + open[0].length, tag.index)
      found.push(...between(text, { start: open.index, end: tag.index + tag[0].length, inner }))
      open = null
    }
  }
  return found
}

function between(
  { masked, starts }: Text,
  { start, end, inner }: { start: number; end: number; inner: string },
): FoundQuote[] {
  const credit = creditBeside(masked.slice(Math.max(0, start - 160), start), masked.slice(end, end + 160))
  return quote(inner, credit, { from: lineAt(starts, start), to: lineAt(starts, end - 1) + 1, start, end })
}

/** The line of a position, from 0, by halving. */
function lineAt(starts: readonly number[], position: number): number {
  let [low, high] = [0, starts.length - 1]
  while (low < high) {
    const middle = (low + high + 1) >> 1
    if (starts[middle]! <= position) low = middle
    else high = middle - 1
  }
  return low
}

const marks = '“”"„«»‹›‘’「」『』'

/** The text without quotation marks at its ends. */
function withoutMarks(text: string): string {
  let [start, end] = [0, text.length]
  while (start < end && marks.includes(text[start]!)) start++
  while (end > start && marks.includes(text[end - 1]!)) end--
  return text.slice(start, end)
}

const unspaced = /^[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Thai}]$/u

function quote(
  text: string,
  attributed_to: string | null,
  place: Pick<FoundQuote, 'from' | 'to' | 'start' | 'end'>,
): FoundQuote[] {
  const words = withoutMarks(text.trim())
  const found = quoteWords(words)
  const least = found.every((word) => unspaced.test(word)) ? minUnspaced : minWords
  return found.length < least ? [] : [{ text: words, attributed_to: attributed_to || null, ...place }]
}

type MarkPair = { open: string; close: string }

const markPairs: readonly MarkPair[] = [
  { open: '“', close: '”' },
  { open: '„', close: '“”' },
  { open: '«', close: '»' },
  { open: '»', close: '«' },
  { open: '‹', close: '›' },
  { open: '›', close: '‹' },
  { open: '‘', close: '’' },
  { open: '「', close: '」' },
  { open: '『', close: '』' },
  { open: '"', close: '"' },
]

const pairedMarks = new Set(markPairs.flatMap(({ open, close }) => [open, ...close]))

/** Where text stands between quotation marks, from 0, the marks included; spans may lie within each other. */
function findMarkedSpans(text: string): { start: number; end: number }[] {
  const spans: { start: number; end: number }[] = []
  const opened = new Map<MarkPair, number>()
  for (let at = 0; at < text.length; at++) {
    const mark = text[at]!
    if (!pairedMarks.has(mark)) continue
    const closed = [...opened.keys()].filter(({ close }) => close.includes(mark) && canClose(text, at))
    for (const pair of closed) {
      spans.push({ start: opened.get(pair)!, end: at + 1 })
      opened.delete(pair)
    }
    if (closed.length > 0) continue
    for (const pair of markPairs) if (pair.open === mark && canOpen(text, at)) opened.set(pair, at)
  }
  return spans
}

/** A straight mark may also be inches, and a closing one an apostrophe. */
function canOpen(text: string, at: number): boolean {
  if (text[at] === '‘') return !isLetter(text[at - 1])
  if (text[at] !== '"') return true
  return isEdge(text[at - 1], '([{—–-*_~>:=|“‘') && !isSpace(text[at + 1])
}

function canClose(text: string, at: number): boolean {
  if (text[at] === '’') return !isLetter(text[at + 1])
  if (text[at] !== '"') return true
  return isEdge(text[at + 1], '.,;:!?)]}—–-*_~<[|”’') && !isSpace(text[at - 1])
}

const isEdge = (sign: string | undefined, others: string) =>
  sign === undefined || isSpace(sign) || others.includes(sign)

const isSpace = (sign: string | undefined) => sign === undefined || /\s/.test(sign)

const isLetter = (sign: string | undefined) => sign !== undefined && /[\p{L}\p{N}]/u.test(sign)

/** A quotation, and what was named as its source before the draft; absent where it was no quotation before. */
export type AddedQuote = FoundQuote & { creditBefore?: string | null }

type AddedQuotes = { quotes: AddedQuote[]; more: number }

/** As `addedQuotes`, of one value. */
export const readAddedQuotes = ({ before, after, max }: { before: string; after: string; max: number }) =>
  addedQuotes(before, after, max)

/**
 * Those that touch an added line and were not quoted from the same source before; at most as many as asked for, the
 * rest counted.
 */
export function addedQuotes(before: string, after: string, max: number): AddedQuotes {
  const found = findQuotes(after)
  if (found.length === 0) return { quotes: [], more: 0 }
  const old = creditsByWords(findQuotes(before))
  const added = computeHunks(before, after).map(({ after: { start, lines } }) => ({
    start,
    end: start + lines.length,
  }))
  const quotes: AddedQuote[] = []
  let more = 0
  let at = 0
  for (const quote of found.toSorted((a, b) => a.from - b.from)) {
    while (added[at] && added[at]!.end <= quote.from) at++
    if (!added[at] || added[at]!.start >= quote.to) continue
    const credits = old.get(wordsKey(quote))
    if (credits?.has(quote.attributed_to)) continue
    const [creditBefore] = credits ?? []
    if (quotes.length >= max) more++
    else quotes.push(creditBefore === undefined ? quote : { ...quote, creditBefore })
  }
  return { quotes, more }
}

function creditsByWords(quotes: readonly FoundQuote[]): Map<string, Set<string | null>> {
  const credits = new Map<string, Set<string | null>>()
  for (const quote of quotes) {
    const key = wordsKey(quote)
    const known = credits.get(key)
    if (known) known.add(quote.attributed_to)
    else credits.set(key, new Set([quote.attributed_to]))
  }
  return credits
}

const wordsKey = ({ text }: FoundQuote): string => quoteWords(text).join(' ')

/** The sentence for a person where only the named source is new; empty where the quotation is. */
export function creditChange({ creditBefore, attributed_to }: AddedQuote): string {
  if (creditBefore === undefined) return ''
  const [from, to] = [creditBefore, attributed_to].map((name) =>
    name === null ? 'nothing' : quoteShownSingly(name),
  )
  return ` Its credit was changed from ${from} to ${to}.`
}
