// Cuts the excerpt of a passage that is shown for a question: plain text with the matching words marked, and the best
// line. Each passage is parsed once, and each of its distinct words is looked up once per question.

import type { Piece } from '../contract/space/search.ts'
import { cutAtWord } from '../core/text/bounds.ts'
import { plainText, splitFrontMatter } from '../core/text/markdown.ts'
import {
  bareWord,
  emojiSource,
  emojiWord,
  isSameWord,
  minStem,
  unspacedPair,
} from '../core/text/words/words.ts'

export type Excerpt = {
  /** About this many characters around the place with the most distinct words of the question. */
  snippet: Piece[]
  /** The best line in plain text; '' if none has a word of the question. */
  cite: string
}

/** A word of the question in a text. */
type Hit = { start: number; end: number; of: number }

const maxCiteLength = 280
const token = new RegExp(String.raw`[\p{L}\p{N}\p{M}]+|${emojiSource}`, 'gu')

/** Makes excerpts for a question with these words (see `wordsToMark`). */
export function createExcerpts(words: readonly string[], length = 180): (passage: string) => Excerpt {
  const find = createLookup(words)

  return (passage) => {
    const lines = shownText(passage)
      .split('\n')
      .map((line) => line.trim())
      .filter(Boolean)
    const folded = lines.map((line) => line.replace(/\s+/g, ' '))
    const text = folded.join(' ')
    const hits = hitsIn(text, find)
    const cited = bestLine(folded, hits)
    const visible = withoutYaml(passage) ?? text
    return {
      snippet: cutSnippet(visible, visible === text ? hits : hitsIn(visible, find), length),
      cite: cutAtWord(lines[cited] ?? '', maxCiteLength),
    }
  }
}

/** Code, in which everything is shown, or a tag of HTML; what stands right behind a word is a type (`List<string>`). */
const codeOrTag =
  /```[\s\S]*?(?:```|$)|`[^`\n]*`|<\/[a-z][\w-]{0,60}>|(?:(?<!\w)<|<(?=br\b))[a-z][^<>\n]{0,300}>/gi

/** A passage without what a page does not show as words: comments, marks of highlights, block ids, HTML, addresses. */
const shownText = (passage: string): string =>
  plainText(
    passage
      .replace(codeOrTag, (found) => (found.startsWith('`') ? found : ' '))
      .replace(/%%[^%]{0,2000}%%|<!--[^<>]{0,2000}-->/g, ' '),
  )
    .replace(/(https?:\/\/)([^\s/<>)\]]{1,200})[^\s<>)\]]*/g, '$2')
    .replace(/(?<=\s)\^[\w-]{1,60}$/gm, '')
    .replaceAll('==', '')
    .replace(/(?<![^\s(])#(?=\p{L})/gu, '')

const ofList = /^\s*-\s+(.*)$/
const ofProperty = /^([^\s:#-][^:]*):\s*(.*)$/

/**
 * Front matter in readable form, "author: Ann, Ben · rating: 7", followed by the text; `null` if there is none. Read
 * line by line: a parser takes a tenth of a millisecond for each of the dozens of passages on a page of results.
 */
function withoutYaml(passage: string): string | null {
  const { yaml, content } = splitFrontMatter(passage)
  if (yaml === '') return null
  const properties: { name: string; values: string[] }[] = []
  for (const line of yaml.split('\n')) {
    const item = ofList.exec(line)?.[1]
    const [, name, value = ''] = ofProperty.exec(line) ?? []
    if (name !== undefined) properties.push({ name, values: [value] })
    else if (item !== undefined) properties.at(-1)?.values.push(item)
  }
  const lines = properties.flatMap(({ name, values }) => {
    const visible = values.map((value) => plainText(value.replace(/^["']|["']$/g, '')).trim()).filter(isValue)
    return visible.length > 0 ? `${name}: ${visible.join(', ')}` : []
  })
  return [lines.join(' · '), shownText(content)].join(' ').replace(/\s+/g, ' ').trim()
}

const isValue = (value: string) => !['', '[]', '{}', '|', '>', '~', 'null'].includes(value)

export const citedLine = (passage: string, words: readonly string[]): string =>
  createExcerpts(words)(passage).cite

/** The question's words worth marking: its lexemes, and the words that they are of, which stop words are not. */
export function wordsToMark(words: readonly string[], lexemes: readonly string[]): string[] {
  const isMeant = (word: string) =>
    lexemes.some((lexeme) => word.startsWith(lexeme) || (lexeme.length > minStem && isSameWord(word, lexeme)))
  return [...new Set([...lexemes, ...words.filter(isMeant)])]
}

const writtenTogether =
  /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}ー\p{Script=Thai}\p{Script=Lao}\p{Script=Khmer}\p{Script=Myanmar}]/u
/** Knows the words of the scripts without spaces by itself, whatever the language. */
const segmenter = new Intl.Segmenter('und', { granularity: 'word' })

function hitsIn(text: string, find: (word: string) => number): Hit[] {
  const hits: Hit[] = []
  for (const { 0: found, index } of text.matchAll(token)) {
    const words = writtenTogether.test(found)
      ? [...segmenter.segment(found)].map(({ segment, index: at }) => ({ segment, at }))
      : [{ segment: found, at: 0 }]
    for (const { segment, at } of words) {
      const of = find(segment)
      if (of !== -1) hits.push({ start: index + at, end: index + at + segment.length, of })
    }
  }
  return hits
}

/** Position of the first line with the most distinct words of the question; -1 if none has any. */
function bestLine(lines: readonly string[], hits: readonly Hit[]): number {
  let best = { line: -1, count: 0 }
  let end = 0
  let at = 0
  for (const [line, text] of lines.entries()) {
    end += text.length + 1
    const words = new Set<number>()
    for (; at < hits.length && hits[at]!.start < end; at += 1) words.add(hits[at]!.of)
    if (words.size > best.count) best = { line, count: words.size }
  }
  return best.line
}

function cutSnippet(text: string, hits: readonly Hit[], length: number): Piece[] {
  if (text.length <= length) return markHits(text, hits)
  const start = bestStart(hits, length)
  const from = start === 0 ? 0 : text.indexOf(' ', Math.max(0, start - length / 4)) + 1
  const cut = text.slice(from, from + length)
  const rest = from + length < text.length
  const whole = rest ? cut.slice(0, Math.max(cut.lastIndexOf(' '), length / 2)) : cut
  const own = hits
    .filter(({ start, end }) => start >= from && end <= from + whole.length)
    .map((hit) => ({ ...hit, start: hit.start - from, end: hit.end - from }))
  const before = from > 0 ? [{ text: '… ', marked: false }] : []
  const after = rest ? [{ text: ' …', marked: false }] : []
  return joinPieces([...before, ...markHits(whole.toWellFormed(), own), ...after])
}

function markHits(text: string, hits: readonly Hit[]): Piece[] {
  const pieces: Piece[] = []
  let done = 0
  for (const { start, end } of hits) {
    pieces.push(
      { text: text.slice(done, start), marked: false },
      { text: text.slice(start, end), marked: true },
    )
    done = end
  }
  return joinPieces([...pieces, { text: text.slice(done), marked: false }])
}

/** Without empty parts, and with neighbours of the same kind joined. */
function joinPieces(pieces: readonly Piece[]): Piece[] {
  const joined: Piece[] = []
  for (const { text, marked } of pieces) {
    const last = joined.at(-1)
    if (last?.marked === marked) last.text += text
    else if (text !== '') joined.push({ text, marked })
  }
  return joined
}

/** Index of the question's word that a word of a text is a form of; -1 if none. */
function createLookup(words: readonly string[]): (word: string) => number {
  const lookups = new Map<string, number>()
  const exact = new Map(words.map((word, at) => [word, at]))
  const byBeginning = Map.groupBy(words.entries(), ([, word]) => word.slice(0, minStem))
  const pairs = [...words.entries()].filter(([, word]) => unspacedPair.test(word))

  function lookUp(own: string): number {
    const same = exact.get(own)
    if (same !== undefined) return same
    const form = byBeginning.get(own.slice(0, minStem))?.find(([, word]) => isForm(own, word))
    return (form ?? pairs.find(([, pair]) => own.includes(pair)))?.[0] ?? -1
  }

  return (written) => {
    const before = lookups.get(written)
    if (before !== undefined) return before
    const isEmoji = !/^[\p{L}\p{N}\p{M}]/u.test(written)
    const match = lookUp(isEmoji ? emojiWord(written) : bareWord(written))
    lookups.set(written, match)
    return match
  }
}

/** As `isSameWord`, but of a short word only its plural: "not" is no form of "note". */
function isForm(one: string, other: string): boolean {
  const [short, long] = one.length < other.length ? [one, other] : [other, one]
  return short.length > minStem ? isSameWord(one, other) : long === `${short}s`
}

function bestStart(hits: readonly Hit[], length: number): number {
  const best = { index: 0, count: 0 }
  const counts = new Map<number, number>()
  let end = 0
  for (const { start, of } of hits) {
    for (; end < hits.length && hits[end]!.start < start + length * 0.7; end++)
      counts.set(hits[end]!.of, (counts.get(hits[end]!.of) ?? 0) + 1)
    if (counts.size > best.count) Object.assign(best, { index: start, count: counts.size })
    const remaining = counts.get(of)! - 1
    if (remaining > 0) counts.set(of, remaining)
    else counts.delete(of)
  }
  return best.index
}
