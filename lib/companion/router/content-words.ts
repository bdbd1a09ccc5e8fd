import { stem } from '../../search/words/stem.ts'
import { stopWords } from '../../search/words/stop-words.ts'
import { wordsOf } from '../../search/words/words.ts'

/** Words that say how somebody talks to a companion rather than what about. */
const talkWords = new Set(
  `tell remind draft create add write make update change plan compare suggest explain recommend task page note question answer
  today tomorrow yesterday week month year day time first last next new old still`.split(/\s+/),
)

/** The stems of the words that say what a text is about. In a script without spaces these are pairs of characters. */
export function contentWords(text: string): Set<string> {
  const words = wordsOf(text.slice(0, 4000)).filter(
    (word) => word.length > 1 && !stopWords.has(word) && !talkWords.has(word),
  )
  return new Set(words.map(stem))
}

/** Whether two stems are likely one word: the same, of one beginning, or one a part of the other (compounds). */
export function isSameWord(one: string, other: string): boolean {
  if (one === other) return true
  const [short, long] = one.length <= other.length ? [one, other] : [other, one]
  if (short.length < 5 || /\d/.test(short)) return false
  return long.startsWith(short.slice(0, Math.max(5, short.length - 2))) || long.endsWith(short)
}
