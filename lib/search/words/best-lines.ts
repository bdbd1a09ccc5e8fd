// Shortens a passage for a model: the relevant lines, verbatim, so that each can be cited. Long lines count sentence by
// sentence.

import { contentWords } from '../../core/text/words/content-words.ts'
import { isSameWord, plainWordsOf, withoutAccents, wordsOf } from '../../core/text/words/words.ts'

/** Character offsets in the text, zero-based; `end` is exclusive. */
type Span = { start: number; end: number }
/** `opens`: a paragraph begins with it. */
type Unit = Span & { words: string[]; heading: boolean; opens: boolean }

/** Maximum words of a question. */
const maxWords = 40
const maxUnit = 300

/** Overhead of a part besides its text, in bytes. */
const perPart = 30

/** The question's words worth searching for; all of them if there are no others. */
export function wordsToFind(question: string): string[] {
  const telling = contentWords(question)
  const words = telling.length > 0 ? telling : wordsOf(question)
  return [...new Set(words)].slice(0, maxWords)
}

/**
 * The whole text, paragraph by paragraph, if it fits within this many bytes of JSON. Otherwise the lines with the most
 * words, with as much context as there is room for: verbatim pieces of the text, in order. At least the beginning of a
 * line. `text` is a passage of bounded length.
 */
export function bestLines(text: string, words: readonly string[], maxBytes: number): string[] {
  const whole = paragraphsOf(text, { start: 0, end: text.length })
  if (whole.reduce((sum, part) => sum + bytesOf(part) + perPart, 0) <= maxBytes) return whole
  const units = unitsOf(text)
  const order = byScore(units, words)
  const chosen = new Set<number>()
  let budget = maxBytes
  const take = (at: number): boolean => {
    const unit = units[at]
    if (!unit || chosen.has(at)) return false
    const joins = (chosen.has(at - 1) && !unit.opens) || (chosen.has(at + 1) && !units[at + 1]?.opens)
    const cost = bytesOf(text.slice(unit.start, unit.end)) + (joins ? 0 : perPart)
    if (cost > budget) return false
    budget -= cost
    chosen.add(at)
    return true
  }

  for (const at of order) take(at)
  if (chosen.size === 0) return [cutTo(text, units[order[0] ?? 0], maxBytes - perPart)]
  // Adds context, following lines before preceding ones, while there is room. The set grows during iteration.
  for (const at of chosen) for (const next of [at + 1, at - 1]) if (!units[next]?.heading) take(next)
  return partsOf(text, units, chosen)
}

/** With its quotation marks, which also make up for a line break before it. */
const bytesOf = (part: string): number => Buffer.byteLength(JSON.stringify(part))

/** Matching lines, best first; the first line if none matches. Words that are rare in the text count for more. */
function byScore(units: readonly Unit[], words: readonly string[]): number[] {
  const holding = words.map((word) => units.map((unit) => unit.words.some((each) => isSameWord(each, word))))
  const weights = holding.map((held) => Math.log(1 + units.length / (held.filter(Boolean).length || 1)))
  const scores = units.map((unit, at) =>
    unit.heading ? 0 : weights.reduce((sum, weight, n) => sum + (holding[n]?.[at] ? weight : 0), 0),
  )
  const ranked = [...units.keys()].filter((at) => scores[at]! > 0).sort((a, b) => scores[b]! - scores[a]!)
  const first = units.findIndex(({ heading }) => !heading)
  return ranked.length > 0 ? ranked : [Math.max(0, first)]
}

/** Lines, and sentences of long lines; anything longer is cut between words. */
function unitsOf(text: string): Unit[] {
  const units: Unit[] = []
  let last = 0
  for (const { 0: line, index } of text.matchAll(/[^\n]+/g)) {
    const heading = /^#{1,6}\s/.test(line)
    for (const { 0: piece, index: at } of line.matchAll(line.length > maxUnit ? sentence : /.+/gs)) {
      for (const { 0: part, index: from } of piece.matchAll(piece.length > maxUnit ? stretch : /.+/gs)) {
        if (part.trim() === '') continue
        const start = index + at + from
        const opens = /\n\s*\n/.test(text.slice(last, start))
        units.push({ start, end: start + part.length, heading, opens, words: wordsIn(part) })
        last = start + part.length
      }
    }
  }
  return units
}

const sentence = /.+?(?:[.!?…。！？]["”'’)\]]*(?=\s)\s*|$)/gsu
const stretch = new RegExp(`.{1,${maxUnit}}(?=\\s|$)\\s*|.{1,${maxUnit}}`, 'gsu')

const wordsIn = (text: string): string[] => [...new Set(plainWordsOf(withoutAccents(text)))]

/** Joins neighbours, unless a blank line is between them. */
function partsOf(text: string, units: readonly Unit[], chosen: ReadonlySet<number>): string[] {
  const spans: Span[] = []
  let last = -2
  for (const at of [...chosen].sort((a, b) => a - b)) {
    const unit = units[at]!
    if (at === last + 1) spans.at(-1)!.end = unit.end
    else spans.push({ start: unit.start, end: unit.end })
    last = at
  }
  return spans.flatMap((span) => paragraphsOf(text, span))
}

const paragraphsOf = (text: string, { start, end }: Span): string[] =>
  text
    .slice(start, end)
    .split(/\n\s*\n/)
    .map((part) => part.trimEnd())
    .filter((part) => part.trim() !== '')

/** The beginning of a line that is too long by itself, up to the end of a word if possible. */
function cutTo(text: string, unit: Span | undefined, maxBytes: number): string {
  const line = text.slice(unit?.start ?? 0, unit?.end)
  let cut = line.slice(0, Math.max(1, maxBytes))
  while (cut.length > 1 && Buffer.byteLength(JSON.stringify(cut)) > maxBytes)
    cut = cut.slice(0, Math.floor(cut.length * 0.8))
  const space = cut.length < line.length ? cut.lastIndexOf(' ') : -1
  // Does not split a character.
  return (space > cut.length / 2 ? cut.slice(0, space) : cut).replace(/[\uD800-\uDBFF]$/, '')
}
