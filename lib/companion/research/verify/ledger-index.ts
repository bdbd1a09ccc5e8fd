// The sentences of a ledger, and where each word of them is: made once, asked for each claim.

import { supportSentences } from './sentences.ts'
import { normalizeText, readStatement, type Statement } from './statement.ts'
import { limits } from './thresholds.ts'
import type { Passage } from './types.ts'
import type { Vocabulary } from './vocabulary.ts'

export type IndexedSentence = Statement & {
  passage: number
  ids: ReadonlySet<number>
  /** A question says nothing is so. */
  isQuestion: boolean
}

export type IndexedPassage = {
  n: string
  title: string
  /** The words of the title: they say what the passage is about, and nothing of it. */
  titleIds: ReadonlySet<number>
  /** Its sentences among those of the ledger: `from` up to, not including, `to`. */
  from: number
  to: number
  /** Words in capitals. Worked out when they are asked for. */
  acronyms: () => ReadonlySet<string>
  /** The first letters of its names, likewise. */
  nameInitials: () => ReadonlySet<string>
}

export type LedgerIndex = {
  passages: readonly IndexedPassage[]
  sentences: readonly IndexedSentence[]
  /** By the number of a word, the sentences that have it, in order. */
  places: ReadonlyMap<number, readonly number[]>
  byNumber: ReadonlyMap<string, number>
}

export function indexLedger(ledger: readonly Passage[], vocabulary: Vocabulary): LedgerIndex {
  const passages: IndexedPassage[] = []
  const sentences: IndexedSentence[] = []
  const places = new Map<number, number[]>()
  const byNumber = new Map<string, number>()
  let charsLeft = limits.ledgerChars

  for (const { n, title, text } of ledger.slice(0, limits.passages)) {
    if (byNumber.has(n)) continue
    const part = text.slice(0, Math.min(limits.passageChars, charsLeft))
    charsLeft -= part.length
    const from = sentences.length
    for (const sentence of supportSentences(normalizeText(part))) {
      const statement = readStatement(sentence, vocabulary)
      const own = new Set<number>()
      for (const { word } of statement.tokens) own.add(word.id)
      for (const id of own) {
        const list = places.get(id)
        if (list) list.push(sentences.length)
        else places.set(id, [sentences.length])
      }
      sentences.push({
        ...statement,
        passage: passages.length,
        ids: own,
        isQuestion: /\?["')\]”’»]*$/.test(sentence),
      })
    }
    const titleWords = readStatement(normalizeText(title.slice(0, 500)), vocabulary).tokens
    byNumber.set(n, passages.length)
    const own = sentences.slice(from)
    passages.push({
      n,
      title,
      from,
      to: sentences.length,
      titleIds: new Set(titleWords.map(({ word }) => word.id)),
      acronyms: once(() => new Set(own.flatMap(({ text: written }) => written.match(acronym) ?? []))),
      nameInitials: once(
        () => new Set(own.flatMap((sentence) => nameSpans(sentence).map(({ initials }) => initials))),
      ),
    })
  }
  return { passages, sentences, places, byNumber }
}

const acronym = /(?<![\p{L}\p{N}])\p{Lu}{2,8}(?![\p{L}\p{N}])/gu

function once<T>(make: () => T): () => T {
  let made: T | undefined
  return () => {
    made ??= make()
    return made
  }
}

/** Whether one of the sentences of a passage has a word. */
export function hasWord({ places }: LedgerIndex, { from, to }: IndexedPassage, id: number): boolean {
  const list = places.get(id)
  if (!list) return false
  let [low, high] = [0, list.length]
  while (low < high) {
    const middle = (low + high) >> 1
    if (list[middle]! < from) low = middle + 1
    else high = middle
  }
  return low < list.length && list[low]! < to
}

/** Words with capital letters in a row: their places, and the first letters of the whole name, over "of" and its like. */
export function nameSpans({ tokens }: Statement): { from: number; to: number; initials: string }[] {
  const spans: { from: number; to: number; whole: number }[] = []
  let whole = 0
  for (let at = 0; at < tokens.length; at++) {
    if (!isNamePart(tokens, at)) {
      if (!joins.has(tokens[at]!.word.text)) whole += 1
      continue
    }
    const last = spans.at(-1)
    if (last && tokens[at - 1]!.clause !== tokens[at]!.clause) whole += 1
    if (last?.to === at && last.whole === whole) last.to = at + 1
    else spans.push({ from: at, to: at + 1, whole })
  }
  const initials = new Map<number, string>()
  for (const { from, to, whole: of } of spans)
    initials.set(
      of,
      (initials.get(of) ?? '') +
        tokens
          .slice(from, to)
          .map(({ word }) => word.text[0]?.toUpperCase() ?? '')
          .join(''),
    )
  return spans.map(({ from, to, whole: of }) => ({ from, to, initials: initials.get(of)! }))
}

const joins: ReadonlySet<string> = new Set(
  'of the for de la le du van von der den al el del di da'.split(' '),
)
const isNamePart = (tokens: Statement['tokens'], at: number): boolean =>
  tokens[at]!.isCapital && !tokens[at]!.isValue && (at > 0 || !tokens[at]!.word.isStop)
