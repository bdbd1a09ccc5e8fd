import { cleanLine } from '../core/text/clean.ts'
import { cleanTag, tagKey } from '../core/text/properties/tag.ts'
import { indexWordsOf, joinedFormsOf, lettersAndDigits, questionWordsOf } from './words/index-words.ts'

export type Phrase = {
  /** As it is written. */
  text: string
  words: string[]
  /** True if the last word may be the beginning of a longer one. */
  open: boolean
}

export type Question = {
  /** The question on one line, cut to a bounded length. */
  text: string
  words: string[]
  /**
   * Words of a short question joined with their neighbours ("contains any" may mean `containsAny`), and what is written
   * in parts, as one word (`co-operation`); `joinedShare` is what they count.
   */
  joined: string[]
  joinedShare: number
  /** The letters and the digits of a word (`ieee754`), for where the whole is unknown; `of` is its position, from 1. */
  split: { word: string; of: number }[]
  /** Words written with a hyphen before them: what has one is left out. */
  excluded: string[]
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
/** A word, not an option of a command (`-m`, `--force`) nor a number. */
const exclusion = /(?<!\S)-(\p{L}[\p{L}\p{N}\p{M}]{1,60})(?!\S)/gu
const maxExcluded = 5
const maxSplit = 10
/** In a long question the parts say as much already. */
const longJoinedShare = 0.1
const tagFilter = /(?<!\S)tag:(\S{1,200})(?!\S)/giu
const endsInWord = /[\p{L}\p{N}\p{M}]$/u

/**
 * Parses any string as a question; the only operators are quotation marks around a phrase, `tag:` before a tag, and a hyphen
 * before a word. With `typing`, the last word may be the beginning of a longer one.
 */
export function parseQuestion(asked: string, typing = false): Question {
  const tags: string[] = []
  const raw = asked.slice(0, maxQuestionLength).replace(tagFilter, (found, name: string) => {
    const tag = cleanTag(name)
    if (tag === null || tags.length === maxTags) return found
    tags.push(tagKey(tag))
    return ''
  })
  const whole = cleanLine(raw)
  const kept = cleanLine(whole.replace(exclusion, ''))
  const leavesOut = kept !== '' && indexWordsOf(kept).length > 0
  const excluded = leavesOut
    ? [...whole.matchAll(exclusion)].map(([, word]) => word!).slice(0, maxExcluded)
    : []
  const text = leavesOut ? kept : whole
  const words = questionWordsOf(text)
  const isShort = words.length <= maxJoined
  const split = words
    .flatMap((each, at) => lettersAndDigits(each).map((word) => ({ word, of: at + 1 })))
    .filter(({ word }) => !words.includes(word))
    .slice(0, maxSplit)
  const isUnfinished = typing && endsInWord.test(raw)
  const phrases = [...text.matchAll(quoted)]
    .map(([, straight, end1, curly, end2, angled, end3]) => ({
      text: (straight ?? curly ?? angled ?? '').trim(),
      words: indexWordsOf(straight ?? curly ?? angled ?? ''),
      open: isUnfinished && (end1 ?? end2 ?? end3) === '',
    }))
    .filter((phrase) => phrase.words.length > 1)
    .slice(0, maxPhrases)
  return {
    text: text.slice(0, maxTextLength).toWellFormed(),
    words,
    joined: [...new Set([...(isShort ? joinNeighbours(words) : []), ...joinedFormsOf(text)])]
      .filter((word) => !words.includes(word))
      .slice(0, maxSplit),
    joinedShare: isShort ? 1 : longJoinedShare,
    split,
    excluded,
    phrases,
    tags,
    unfinished: (isUnfinished && words.at(-1)) || null,
  }
}

const joinNeighbours = (words: readonly string[]) =>
  words.slice(1).map((second, at) => `${words[at]}${second}`)
