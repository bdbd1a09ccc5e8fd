import { cleanLine } from '../text/clean.ts'
import { wordsOf } from './words.ts'

export type Question = {
  /** As asked, on one line and cut to a bounded length. */
  text: string
  words: string[]
  /** The words of each quoted phrase of two words or more. */
  phrases: string[][]
}

const longestQuestion = 2000
const mostPhrases = 3
const quoted = /"([^"]+)"|“([^”]+)”|«([^»]+)»/gu

/** Reads any string as a question; nothing in it is an operator but quotation marks around a phrase. */
export function parseQuestion(asked: string): Question {
  const text = cleanLine(asked.slice(0, longestQuestion))
  const phrases = [...text.matchAll(quoted)]
    .map((match) => wordsOf(match[1] ?? match[2] ?? match[3] ?? ''))
    .filter((words) => words.length > 1)
    .slice(0, mostPhrases)
  return { text, words: wordsOf(text), phrases }
}
