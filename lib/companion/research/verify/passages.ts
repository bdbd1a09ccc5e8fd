// The passages of a ledger as they are compared: cut into sentences, and as one run of words in which a copy is found.

import { findRuns } from '../../../core/text/words/find-runs.ts'
import { quoteWords } from '../../../core/text/words/quote-words.ts'
import { once } from '../../../core/text/words/remember.ts'
import { allSentences } from '../rules/sentences.ts'
import { type Language, languageOf } from './languages.ts'
import { readStatement, type Statement } from './statement.ts'
import { limits, type Passage } from './types.ts'

export type ReadPassage = Passage & {
  language: Language
  sentences: readonly string[]
  /** Of the whole text, and of its sentences one after the other, with the sentence of each word. */
  whole: readonly string[]
  vocabulary: ReadonlySet<string>
  words: readonly string[]
  places: readonly number[]
  /** The words of each sentence. */
  wordsOf: readonly (readonly string[])[]
  /** Its sentences, each read when it is first asked for. */
  statement: (at: number) => Statement
  /** What a name may stand in, beside the sentences: its title and all others. */
  around: () => readonly Statement[]
  squashed: () => string
}

/** By their numbers; of two with one number the first. */
export function readPassages(ledger: readonly Passage[]): Map<string, ReadPassage> {
  const found = new Map<string, ReadPassage>()
  let left = limits.ledgerChars
  for (const passage of ledger.slice(0, limits.passages)) {
    if (found.has(passage.n)) continue
    const text = passage.text.slice(0, Math.min(limits.passageChars, left))
    left -= text.length
    const known = readBefore.get(passage)
    const one = known?.text === text ? known : readPassage({ ...passage, text })
    readBefore.set(passage, one)
    found.set(passage.n, one)
  }
  return found
}

/** A ledger is read before its claims are judged, and again after. */
const readBefore = new WeakMap<Passage, ReadPassage>()

function readPassage(passage: Passage): ReadPassage {
  const sentences = allSentences(passage.text)
  const language = languageOf(passage.text.slice(0, languageChars))
  const words = sentences.map((sentence) => quoteWords(withoutMarks(sentence)))
  const whole = quoteWords(withoutMarks(passage.text))
  const statements: (Statement | undefined)[] = []
  const statement = (at: number): Statement => {
    statements[at] ??= readStatement(sentences[at]!, language)
    return statements[at]
  }
  return {
    ...passage,
    ...{ language, sentences, statement, whole },
    vocabulary: new Set(whole),
    words: words.flat(),
    wordsOf: words,
    places: words.flatMap((own, at) => own.map(() => at)),
    around: once(() => [
      readStatement(passage.title, language),
      ...sentences.slice(0, maxAround).map((_, at) => statement(at)),
    ]),
    squashed: once(() => squash(passage.text)),
  }
}

const languageChars = 4000
const maxAround = 200
const marks = /\[(?:[WP]?\d{1,4}|\^[^[\]]{1,20}|edit|citation needed)(?: ?[,–-] ?[WP]?\d{1,4})*\]/g

/** Without the marks of citations, which a copy may lack. */
const withoutMarks = (text: string): string => text.replace(marks, ' ')

const squash = (text: string): string => text.replace(/[ \t]+/g, ' ').replace(/ ?\n[ \n]*/g, '\n')

/** Whether a text is in the passage letter by letter, from the beginning to the end of what is written as a sentence. */
function standsAlone(text: string, passage: ReadPassage): boolean {
  const wanted = squash(text.trim())
  const all = passage.squashed()
  for (let at = all.indexOf(wanted); at >= 0; at = all.indexOf(wanted, at + 1)) {
    const begins = /(?:^|[\n.!?:;…•|。！？]["'”’»)\]]{0,3}|\][ ]?)\s*$/.test(
      all.slice(Math.max(0, at - 6), at),
    )
    const end = at + wanted.length
    if (
      begins &&
      (/[.!?…。！？]["'”’»)\]]{0,3}$/.test(wanted) || /^\s*(?:\n|$)/.test(all.slice(end, end + 2)))
    )
      return true
  }
  return false
}

export type Copy = {
  passage: ReadPassage
  /** The sentences that it is part of; none where it runs over what is no sentence. */
  sentences: readonly number[]
  /** Whether it begins and ends where sentences do. */
  isWhole: boolean
}

/** Of the text that was asked for last: it is asked of many passages. */
let asked: { text: string; words: string[] } | null = null

function wordsOf(text: string): string[] {
  if (asked?.text !== text) asked = { text, words: quoteWords(withoutMarks(text)) }
  return asked.words
}

/** Where a passage has a text word for word. */
export function findCopies(text: string, passage: ReadPassage): Copy[] {
  const wanted = wordsOf(text)
  if (wanted.length === 0 || !wanted.every((word) => passage.vocabulary.has(word))) return []
  const { words, places } = passage
  const isAlone = standsAlone(text, passage)
  const copies = findRuns(words, wanted).map((from): Copy => {
    const to = from + wanted.length - 1
    const [first, last] = [places[from]!, places[to]!]
    return {
      passage,
      sentences: Array.from({ length: last - first + 1 }, (_, n) => first + n),
      isWhole: isAlone || (places[from - 1] !== first && places[to + 1] !== last),
    }
  })
  if (copies.length > 0) return copies
  return findRuns(passage.whole, wanted).length > 0 ? [{ passage, sentences: [], isWhole: true }] : []
}
