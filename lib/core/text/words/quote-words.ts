import { visibleText } from './visible-text.ts'

/**
 * The words of a quotation or of a source, as they are compared: lower-case, without struck and hidden text, marks of
 * Markdown, footnotes, quotation marks, dashes and punctuation; numbers with their sign, currencies and percent signs
 * count. A script without spaces gives its characters one by one.
 */
export const quoteWords = (text: string): string[] => wordsIn(readable(text))

/** What the reader of Markdown reads. */
const readable = (text: string): string =>
  visibleText(text)
    .normalize('NFKC')
    .replace(/!?\[\[([^[\]|]*)(?:\|([^[\]]*))?\]\]/g, (_, target: string, label?: string) => label ?? target)
    .replace(/\[\^[^[\]\n]{1,60}\]/g, '')
    .replace(/\[([^[\]]*)\]\([^()\s]*\)/g, '$1')
    .replace(/[’‘ʼ]/g, "'")
    .replace(/[−–](?=\p{N})/gu, '-')
    .replace(/[*_~`\u00ad\u200b-\u200d\ufeff]/gu, '')

const wordsIn = (text: string): string[] => splitWords(text.toLowerCase())

/** The words of `quoteWords` as they are written: a capital letter tells a name, or "May" from "may". */
export const casedWords = (text: string): string[] => splitWords(readable(text))

const splitWords = (text: string): string[] => text.replace(unspaced, ' $& ').match(word) ?? []

const unspaced = /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Thai}]/gu
const word =
  /[\p{Sc}%]|(?<![\p{L}\p{N}])[-−–]?\p{N}+(?:[.,:]\p{N}+)*|[\p{L}\p{M}]+(?:'[\p{L}\p{M}]+)*|\p{N}+(?:[.,:]\p{N}+)*/gu

/** Words as they are quoted, and what is said to be left out or put in before them; none before the first. */
export type QuotePart = { words: string[]; gap: { putIn: string[] } | null }

/** What makes another word of the one that it is written to: “[un]safe”, “harm[less]”. */
const wordPart = /\[((?:un|in|im|il|ir|dis|mis|non|anti)-?)\](?=\p{L})|(?<=\p{L})\[(less|free)\]/giu

/** The parts of a quotation between marks of omission and words in brackets. */
export function quoteParts(text: string): { parts: QuotePart[]; putInAtEnds: string[] } {
  const parts: QuotePart[] = []
  let putIn: string[] | null = null
  let atEnds: readonly string[] = []
  // A bracketed first letter changes only its case.
  const pieces = readable(text)
    .replace(/\[(\p{L})\](?=\p{L})/gu, '$1')
    .replace(wordPart, '$1$2')
    .split(/(\[[^\][]{0,300}\]|\.{3,})/)
  for (const [at, piece] of pieces.entries()) {
    const words = wordsIn(piece)
    if (at % 2 === 1) {
      putIn ??= []
      for (const word of words) putIn.push(word)
    } else if (words.length > 0) {
      if (parts.length === 0 && putIn) atEnds = putIn
      parts.push({ words, gap: parts.length > 0 && putIn ? { putIn } : null })
      putIn = null
    }
  }
  return { parts, putInAtEnds: [...atEnds, ...(putIn ?? [])] }
}

/** Words with a capital letter where no sentence begins. None for a text that writes every noun so. */
export function namesIn(text: string): Set<string> {
  const plain = readable(text)
  const names = new Set<string>()
  let [count, capital] = [0, 0]
  for (const { index, 0: found } of plain.matchAll(/[\p{L}\p{M}]+(?:'[\p{L}\p{M}]+)*/gu)) {
    count++
    if (!/^\p{Lu}/u.test(found) || found === 'I' || beginsSentence(plain, index)) continue
    capital++
    names.add(found.toLowerCase())
  }
  return capital > maxCapitalShare * count ? new Set() : names
}

const maxCapitalShare = 0.2

function beginsSentence(text: string, at: number): boolean {
  const before = text.slice(Math.max(0, at - 4), at).trimEnd()
  return before === '' || /[\n.!?:;•>#"“„«(]$/.test(text.slice(Math.max(0, at - 4), at).replace(/ +$/, ''))
}
