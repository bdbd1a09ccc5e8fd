// What a question is about: its words that carry meaning, and which words of the texts that were found count as them.

import { distanceFrom } from '../../search/words/edit-distance.ts'
import { stem } from '../../search/words/stem.ts'
import { stopWords } from '../../search/words/stop-words.ts'
import { wordsOf } from '../../search/words/words.ts'

const maxLength = 2000
const maxWords = 24
/** Words for the Space itself, which say nothing of what is asked about it. */
const spaceWords = new Set('guide note notes page pages space void say says mean means'.split(' '))

/** Of "how long does it take" only what it is about is looked for. */
const measure = /\bhow (?:many|much|long|old|big|often|far)\b/gi

export type Question = {
  /** As asked, cut to a bounded length. */
  text: string
  /** Empty where there is nothing to search for. */
  words: string[]
  /** What to search for. */
  query: string
}

/** Reads any string as a question. */
export function readQuestion(asked: string): Question {
  const text = asked.slice(0, maxLength)
  const phrases = [...text.matchAll(/"[^"\n]{3,200}"|“[^”\n]{3,200}”/g)].map(([phrase]) => phrase)
  const words = contentWords(text.replace(measure, ' '))
  const counted = contentWords(/\bhow many (\S{1,40})/i.exec(text)?.[1] ?? '')
  const specific = [
    ...phrases.flatMap(wordsOf),
    ...words.filter((word) => !spaceWords.has(word) || counted.includes(word)),
  ]
  const chosen = [...new Set(specific.length > 0 ? specific : words)].slice(0, maxWords)
  return { text, words: chosen, query: [...new Set([...phrases, ...chosen])].join(' ').slice(0, 1000) }
}

/** The words of a text without the stop words. */
export const contentWords = (text: string): string[] =>
  wordsOf(text.slice(0, 20_000)).filter((word) => !stopWords.has(word))

/** A word of a question with the accents that searching leaves out. */
export const asWritten = (word: string, asked: string): string =>
  asked
    .match(/[\p{L}\p{M}\p{N}]+/gu)
    ?.find((each) => wordsOf(each)[0] === word)
    ?.toLowerCase() ?? word

/** The stems of a text's words. */
export const stemsOf = (text: string): Set<string> => new Set(wordsOf(text.slice(0, 20_000)).map(stem))

/** A word of a question, and the stems in some texts that count as it. */
export type Term = { word: string; stems: string[] }

/** Looks words up among the stems of some texts: their own, else what a typing error made of them; may be none. */
export function bindWords(words: readonly string[], known: ReadonlySet<string>): Term[] {
  return words.map((word) => {
    const own = stem(word)
    return { word, stems: known.has(own) ? [own] : nearStems(own, known) }
  })
}

export const isIn = ({ stems }: Term, text: ReadonlySet<string>): boolean =>
  stems.some((each) => text.has(each))

function nearStems(wanted: string, known: ReadonlySet<string>): string[] {
  const maxSlips = wanted.length < 4 || /\d/.test(wanted) ? 0 : wanted.length > 8 ? 2 : 1
  if (maxSlips === 0) return []
  const distance = distanceFrom(wanted, maxSlips)
  // In four letters, only two that changed places: "port" is not a slip of "post".
  const letters = [...wanted].sort().join('')
  return [...known].filter(
    (each) =>
      each[0] === wanted[0] &&
      distance(each) <= maxSlips &&
      (wanted.length > 4 || [...each].sort().join('') === letters),
  )
}

/** Forms that wait to be filled in are none of what they make, unless they are asked for. */
export const isMeant = (title: string, asked: string): boolean =>
  !/\btemplate$/i.test(title) || /\btemplates?\b/i.test(asked)
