// Words as they are compared: forms of one word, and words that say the same, have one number. Made for one
// verification and dropped with it, so that nothing grows.

import { stopWords } from '../../../core/text/words/content-words.ts'
import { isNegation } from '../../../core/text/words/weighty-words.ts'
import { bareWord, stem } from '../../../core/text/words/words.ts'
import { antonyms } from './words/antonyms.ts'
import { synonyms } from './words/synonyms.ts'
import { decisiveWords, isSuperlative, lightWords, nameTitles } from './words/weights.ts'

export type Word = {
  /** The same for all that says the same. */
  id: number
  /** Of its first letters, for long words: "gravity" and "gravitational"; -1 for others. */
  root: number
  /** Lower-case, without accents. */
  text: string
  isStop: boolean
  /** As it is written here. */
  isCapital: boolean
  /** "not", and "lacks": what follows is not so. */
  negates: boolean
  isNegatingVerb: boolean
  /** Says little about what is stated. */
  isLight: boolean
  isTitle: boolean
  /** Must not be missing from the evidence: "only", "all", "largest". */
  isDecisive: boolean
}

export type Vocabulary = {
  word(written: string): Word
  /** The numbers of words that say the opposite. */
  opposites(id: number): ReadonlySet<number>
}

export function createVocabulary(): Vocabulary {
  const ids = new Map<string, number>()
  const known = new Map<string, Word>()
  const idOf = (text: string): number => {
    const key = keyOf(text)
    const found = built.ids.get(key) ?? ids.get(key)
    if (found !== undefined) return found
    const id = built.ids.size + ids.size
    ids.set(key, id)
    return id
  }

  const roots = new Map<string, number>()
  const rootOf = (text: string): number => {
    if (text.length < rootLength || /\p{N}/u.test(text)) return -1
    const root = text.slice(0, rootLength)
    const id = roots.get(root) ?? roots.size
    roots.set(root, id)
    return id
  }

  return {
    word(written) {
      const found = known.get(written)
      if (found) return found
      const text = fold(written)
      const isNegatingVerb = negatingVerbs.has(text)
      const word = {
        id: idOf(text),
        root: rootOf(text),
        text,
        isStop: stopWords.has(text.replace(/'.*$/, '')),
        isCapital: /^\p{Lu}/u.test(written) && written !== 'I',
        negates: isNegatingVerb || isNegation(written.toLowerCase()),
        isNegatingVerb,
        isLight: lightWords.has(text),
        isTitle: nameTitles.has(text),
        isDecisive: decisiveWords.has(text) || isSuperlative(text),
      }
      known.set(written, word)
      return word
    },
    opposites: (id) => built.opposites.get(id) ?? none,
  }
}

const negatingVerbs: ReadonlySet<string> = new Set(
  'lack lacks lacked lacking fail fails failed refuse refuses refused unable deny denies denied unlike'.split(
    ' ',
  ),
)
const rootLength = 6
const none: ReadonlySet<number> = new Set()

/** Of the words of the lists: the number of each, and of each number the opposites. */
const built = readLists()

function readLists(): {
  ids: ReadonlyMap<string, number>
  opposites: ReadonlyMap<number, ReadonlySet<number>>
} {
  const ids = new Map<string, number>()
  const idOf = (word: string, group?: number): number => {
    const key = keyOf(fold(word))
    const id = ids.get(key) ?? group ?? ids.size
    ids.set(key, id)
    return id
  }
  for (const [first, ...others] of synonyms) {
    // A word of several groups stays in the first.
    const id = idOf(first!)
    for (const word of others) idOf(word, id)
  }
  const opposites = new Map<number, Set<number>>()
  for (const [one, other] of antonyms) {
    const [a, b] = [idOf(one), idOf(other)]
    if (a === b) continue
    opposites.set(a, (opposites.get(a) ?? new Set()).add(b))
    opposites.set(b, (opposites.get(b) ?? new Set()).add(a))
  }
  return { ids, opposites }
}

/** Lower-case and without accents and possessive endings. */
function fold(written: string): string {
  return bareWord(written).replace(/'s?$/, '')
}

/** The stem without the consonants in which verbs and their nouns differ: "produce", "product"; "divide", "division". */
function keyOf(word: string): string {
  if (/\p{N}/u.test(word)) return word
  const cut = stem(word)
  return cut.length < 5 ? cut : cut.replace(/[tcsd]{1,2}$/, '')
}
