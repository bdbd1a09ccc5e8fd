// The sentences of a ledger, and where each word of them is: made once, asked for each claim.

import { supportSentences } from './sentences.ts'
import { normalizeText, readStatement, type Statement } from './statement.ts'
import { limits } from './thresholds.ts'
import type { Passage } from './types.ts'
import type { Vocabulary } from './vocabulary.ts'

export type IndexedSentence = Statement & { passage: number; ids: ReadonlySet<number> }

export type IndexedPassage = {
  n: string
  title: string
  /** The words of the title: they say what the passage is about, and nothing of it. */
  titleIds: ReadonlySet<number>
  /** Of all its sentences. */
  ids: ReadonlySet<number>
  /** Its sentences among those of the ledger: `from` up to, not including, `to`. */
  from: number
  to: number
  /** Words in capitals, and the first letters of its names. */
  acronyms: ReadonlySet<string>
  nameInitials: ReadonlySet<string>
}

export type LedgerIndex = {
  passages: readonly IndexedPassage[]
  sentences: readonly IndexedSentence[]
  /** By the number of a word, the sentences that have it, in order. */
  places: ReadonlyMap<number, readonly number[]>
  byNumber: ReadonlyMap<string, number>
  /** Words that are written without a capital letter somewhere. */
  lowerCase: ReadonlySet<number>
}

export function indexLedger(ledger: readonly Passage[], vocabulary: Vocabulary): LedgerIndex {
  const passages: IndexedPassage[] = []
  const sentences: IndexedSentence[] = []
  const places = new Map<number, number[]>()
  const byNumber = new Map<string, number>()
  const lowerCase = new Set<number>()
  let charsLeft = limits.ledgerChars

  for (const { n, title, text } of ledger.slice(0, limits.passages)) {
    if (byNumber.has(n)) continue
    const part = text.slice(0, Math.min(limits.passageChars, charsLeft))
    charsLeft -= part.length
    const from = sentences.length
    const ids = new Set<number>()
    for (const sentence of supportSentences(normalizeText(part))) {
      const statement = readStatement(sentence, vocabulary)
      const own = new Set<number>()
      for (const { word, isCapital } of statement.tokens) {
        own.add(word.id)
        if (!isCapital) lowerCase.add(word.id)
      }
      for (const id of own) {
        ids.add(id)
        const list = places.get(id)
        if (list) list.push(sentences.length)
        else places.set(id, [sentences.length])
      }
      sentences.push({ ...statement, passage: passages.length, ids: own })
    }
    const titleWords = readStatement(normalizeText(title.slice(0, 500)), vocabulary).tokens
    byNumber.set(n, passages.length)
    const own = sentences.slice(from)
    passages.push({
      ...{ n, title, from, to: sentences.length, ids },
      titleIds: new Set(titleWords.map(({ word }) => word.id)),
      acronyms: new Set(
        own.flatMap(
          ({ text: written }) => written.match(/(?<![\p{L}\p{N}])\p{Lu}{2,8}(?![\p{L}\p{N}])/gu) ?? [],
        ),
      ),
      nameInitials: new Set(own.flatMap((sentence) => nameSpans(sentence).map(({ initials }) => initials))),
    })
  }
  return { passages, sentences, places, byNumber, lowerCase }
}

/** Words with capital letters in a row, over "of" and its like: their places, and their first letters. */
export function nameSpans({ tokens }: Statement): { from: number; to: number; initials: string }[] {
  const spans: { from: number; to: number; initials: string }[] = []
  for (let at = 0; at < tokens.length; at++) {
    if (!isNamePart(tokens, at)) continue
    const from = at
    let to = at + 1
    for (
      let next = to;
      next < tokens.length && next <= to + 1 && tokens[next]!.clause === tokens[from]!.clause;
      next++
    ) {
      if (isNamePart(tokens, next)) to = next + 1
      else if (!joins.has(tokens[next]!.word.text)) break
    }
    const initials = tokens
      .slice(from, to)
      .filter(({ isCapital }) => isCapital)
      .map(({ word }) => word.text[0]?.toUpperCase() ?? '')
      .join('')
    spans.push({ from, to, initials })
    at = to - 1
  }
  return spans
}

const joins: ReadonlySet<string> = new Set(
  'of the and for de la le du van von der den al el del di da'.split(' '),
)
const isNamePart = (tokens: Statement['tokens'], at: number): boolean =>
  tokens[at]!.isCapital && !tokens[at]!.isValue && (at > 0 || !tokens[at]!.word.isStop)
