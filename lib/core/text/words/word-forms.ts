// Forms of one word: their common stem, and whether two are forms of one.

import { withoutAccents } from './words.ts'

/** A word as `wordsOf` sees it: lower-case and without accents. */
export const bareWord = (word: string): string => withoutAccents(word).toLowerCase()

const endings = [
  ...[
    'ations',
    'ation',
    'ements',
    'ement',
    'ments',
    'ment',
    'ings',
    'ing',
    'ions',
    'ion',
    'als',
    'ers',
    'ies',
  ],
  ...['edly', 'ly', 'al', 'er', 'ed', 'es', 's', 'e', 'y'],
]
const shortEndings = new Set(['al', 'er', 'als', 'ers', 'ion', 'ions', 'ly', 'ment', 'ments'])

/**
 * A lower-case word without its ending, so that "approving", "approval" and "approves" are one. Cruder than the stemmer
 * of the search index, and the same for all languages.
 */
export function stem(word: string): string {
  for (const ending of endings) {
    const left = word.length - ending.length
    if (word.endsWith(ending) && left >= (shortEndings.has(ending) ? 4 : 3))
      return undouble(word.slice(0, left))
  }
  return word
}

/** "planning" and "plan" are one, "call" stays. */
const undouble = (word: string) => (/([bdgmnprt])\1$/.test(word) ? word.slice(0, -1) : word)

/** Two forms of a word begin with as many letters that are the same. */
export const minStem = 3
/** Two characters of a script without spaces, which may occur anywhere. */
export const unspacedPair = /^[\u3040-\u30ff\u3400-\u9fff\uac00-\ud7af]{2}$/u

/** Letters that a part of a compound has at least. */
const minPart = 5

/**
 * Whether two bare words, or two stems, are forms of one, roughly: they share all but an ending. `compounds`: a word that
 * begins or ends with another counts, too; short words and numbers are then only the same as themselves.
 */
export function isSameWord(one: string, other: string, { compounds = false } = {}): boolean {
  if (one === other) return true
  const [short, long] = one.length < other.length ? [one, other] : [other, one]
  if (unspacedPair.test(short)) return long.includes(short)
  const least = compounds ? minPart : minStem
  if (short.length < least || (compounds && /\d/.test(short))) return false
  const kept = short.length > 5 ? Math.max(least, short.length - 2) : short.length
  const maxEnding = short.length > 3 ? 4 : 1
  if (!long.startsWith(short.slice(0, kept))) return compounds && long.endsWith(short)
  return compounds || long.length - short.length <= maxEnding
}
