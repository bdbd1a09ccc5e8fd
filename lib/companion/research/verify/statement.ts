// A sentence as it is compared: its words by number, which of them are names, its values, and what a negation reaches.

import { casedWords } from '../../../core/text/words/quote-words.ts'
import { type Value, valuesIn } from './values.ts'
import type { Vocabulary, Word } from './vocabulary.ts'
import { abbreviations } from './words/peoples.ts'

export type Token = {
  word: Word
  /** With a capital letter; in the first word that may mean nothing. */
  isCapital: boolean
  /** Part of a number, an amount or a date. */
  isValue: boolean
  isNegated: boolean
  /** Counts the clauses of the sentence. */
  clause: number
}

export type Statement = { text: string; tokens: Token[]; values: Value[]; negations: number }

/** A letter that no language uses alone stands for a comma and its like while a sentence is cut into words. */
const clauseMark = 'ǂ'
const clauseSigns = /[,;:()](?=\s|$)|\s[-–—]+(?=\s)|(?<=\s)[(]|—/gu
const citationMarks = /\[ ?(?:[WP]?\d{1,4}|\^|edit|citation needed|[a-z])(?: ?[,–-] ?[WP]?\d{1,4})* ?\]/g
/** "2018–19" */
const yearRange = /(?<!\p{N})(1[89]|20)(\d\d)[–/](\d\d)(?![\p{N}–/-])/gu
const initials = /(?<![\p{L}\p{N}])(?:\p{Lu}\.){2,}(?![\p{L}\p{N}])/gu
const abbreviated = new RegExp(
  `(?<![\\p{L}\\p{N}])(?:${Object.keys(abbreviations).join('|')})(?![\\p{L}\\p{N}])`,
  'gu',
)

/** How many words behind it a negation reaches at most, within its clause. */
const negationReach = 8
/** "U.S." is "US", and that is "United States"; marks of citations are no numbers. */
export const normalizeText = (text: string): string =>
  text
    .replace(citationMarks, ' ')
    .replace(yearRange, '$1$2 $1$3')
    .replace(initials, (found) => found.replaceAll('.', ''))
    .replace(abbreviated, (found) => abbreviations[found] ?? found)

/** Of a sentence that `normalizeText` has been applied to. */
export function readStatement(text: string, vocabulary: Vocabulary): Statement {
  const written: string[] = []
  const clauses: number[] = []
  let clause = 0
  for (const word of casedWords(text.replace(clauseSigns, ` ${clauseMark} `))) {
    if (word === clauseMark) clause += 1
    else {
      if (word === 'but' || word === 'whereas' || word === 'while' || word === 'although') clause += 1
      written.push(word)
      clauses.push(clause)
    }
  }
  const tokens = written.map((each, at): Token => {
    const word = vocabulary.word(each)
    return { word, isCapital: word.isCapital, isValue: false, isNegated: false, clause: clauses[at]! }
  })
  const values = valuesIn(written)
  for (const { from, to } of values) for (let at = from; at < to; at++) tokens[at]!.isValue = true
  return { text, tokens, values, negations: markNegated(tokens, written) }
}

/** Marks what negations reach, and counts them. "not only" is none, and "did not fail" is one. */
function markNegated(tokens: readonly Token[], written: readonly string[]): number {
  let count = 0
  for (const [at, { word, clause }] of tokens.entries()) {
    if (!word.negates && !isInstead(tokens, at)) continue
    const next = written[at + 1] ?? ''
    if (next === 'only' || (word.text === 'no' && /^\d/.test(next))) continue
    if (word.isNegatingVerb && tokens[at - 1]?.word.negates) continue
    count += 1
    for (let reached = at + 1; reached <= at + negationReach && tokens[reached]?.clause === clause; reached++)
      tokens[reached]!.isNegated = true
  }
  return count
}

/** "rather than" and "instead of" say what is not so. */
const isInstead = (tokens: readonly Token[], at: number): boolean => {
  const { text } = tokens[at]!.word
  const before = tokens[at - 1]?.word.text
  return (text === 'than' && before === 'rather') || (text === 'of' && before === 'instead')
}
