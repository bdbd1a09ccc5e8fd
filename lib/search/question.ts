import { cleanLine } from '../core/text/clean.ts'
import { cleanTag, tagKey } from '../core/text/properties/tag.ts'
import { indexWordsOf } from './words/index-words.ts'

export type Phrase = {
  words: string[]
  /** True if the last word may be the beginning of a longer one. */
  open: boolean
}

export type Question = {
  /** The question on one line, cut to a bounded length. */
  text: string
  words: string[]
  /** Neighbouring words of a short question joined into one: "contains any" may mean `containsAny`. */
  joined: string[]
  /** Quoted phrases of two or more words. */
  phrases: Phrase[]
  /** The values of `tag:`, normalized for comparison: only pages with all of them match. */
  tags: string[]
  /** The last word, if it may still be being typed. */
  unfinished: string | null
}

/** Maximum characters read; the rarest of their words count (query-plan.ts). */
export const maxQuestionLength = 20_000
const maxTextLength = 2000
const maxPhrases = 3
const maxTags = 5
/** Maximum words of a question whose neighbours are joined. */
const maxJoined = 4
/** An unclosed quotation mark opens a phrase to the end; one after a number means inches. */
const quoted = /(?<![^\s("“«])"([^"]+)("|$)|“([^”]+)(”|$)|«([^»]+)(»|$)/gu
const tagFilter = /(?<!\S)tag:(\S{1,200})(?!\S)/giu
const endsInWord = /[\p{L}\p{N}\p{M}]$/u

/**
 * Parses any string as a question; the only operators are quotation marks around a phrase and `tag:` before a tag. With
 * `typing`, the last word may be the beginning of a longer one.
 */
export function parseQuestion(asked: string, typing = false): Question {
  const tags: string[] = []
  const raw = asked.slice(0, maxQuestionLength).replace(tagFilter, (found, name: string) => {
    const tag = cleanTag(name)
    if (tag === null || tags.length === maxTags) return found
    tags.push(tagKey(tag))
    return ''
  })
  const text = cleanLine(raw)
  const words = indexWordsOf(text)
  const isUnfinished = typing && endsInWord.test(raw)
  const phrases = [...text.matchAll(quoted)]
    .map(([, straight, end1, curly, end2, angled, end3]) => ({
      words: indexWordsOf(straight ?? curly ?? angled ?? ''),
      open: isUnfinished && (end1 ?? end2 ?? end3) === '',
    }))
    .filter((phrase) => phrase.words.length > 1)
    .slice(0, maxPhrases)
  return {
    text: text.slice(0, maxTextLength).toWellFormed(),
    words,
    joined: words.length <= maxJoined ? joinNeighbours(words) : [],
    phrases,
    tags,
    unfinished: (isUnfinished && words.at(-1)) || null,
  }
}

function joinNeighbours(words: readonly string[]): string[] {
  const pairs = words.slice(1).map((second, at) => `${words[at]}${second}`)
  return pairs.filter((pair) => !words.includes(pair))
}
