import { cleanLine } from '../text/clean.ts'
import { wordsOf } from './words/words.ts'

export type Question = {
  /** As asked, on one line and cut to a bounded length. */
  text: string
  words: string[]
  /** The words of each quoted phrase of two words or more. */
  phrases: string[][]
  /** The last word, where somebody may still be typing it. */
  unfinished: string | null
}

const maxQuestionLength = 2000
const maxPhrases = 3
const quoted = /"([^"]+)"|“([^”]+)”|«([^»]+)»/gu
const endsInWord = /[\p{L}\p{N}\p{M}]$/u

/**
 * Reads any string as a question; nothing in it is an operator but quotation marks around a phrase. With `typing`, the
 * word it ends in may be the beginning of a longer one.
 */
export function parseQuestion(asked: string, typing = false): Question {
  const raw = asked.slice(0, maxQuestionLength)
  const text = cleanLine(raw)
  const words = wordsOf(text)
  const phrases = [...text.matchAll(quoted)]
    .map((match) => wordsOf(match[1] ?? match[2] ?? match[3] ?? ''))
    .filter((phrase) => phrase.length > 1)
    .slice(0, maxPhrases)
  return { text, words, phrases, unfinished: (typing && endsInWord.test(raw) && words.at(-1)) || null }
}
