// Where the words that `?cite=` names stand among the words that are shown. The passage is found in the stored text
// first, by its place there; then the words of that text are paired with the words on the screen. So it does not matter
// what showing leaves out (targets of links, marks of Markdown, rows of a table) or puts in between.

import { align } from '../../../lib/core/text/diff/align.ts'
import { findRuns } from '../../../lib/core/text/words/find-runs.ts'
import { placedWords } from '../../../lib/core/text/words/words.ts'

/** Numbers of words, `last` included. */
type WordSpan = { first: number; last: number }

export type CitedPlace = {
  /** What to mark among the shown words; `null` where none of the passage is shown. */
  visible: WordSpan | null
  /** The shown word that stands nearest before the passage; `null` where the text does not hold it, or nothing is. */
  before: number | null
  /** Whether the stored text holds the passage. */
  isStored: boolean
}

const wordsOf = (text: string): string[] => placedWords(text).map(({ word }) => word)

/** `source` is the stored text; `null` where it is not known, and only what is shown can be searched. */
export function findCitedPlace(
  source: string | null,
  cited: string,
  visibleWords: readonly string[],
): CitedPlace {
  const sourceWords = source === null ? wordsOf(cited) : wordsOf(source)
  const passage = source === null ? whole(sourceWords) : findPassage(sourceWords, cited)
  if (!passage) return { visible: null, before: null, isStored: false }
  const pairs = source === null ? pairPassage(sourceWords, visibleWords) : pairAll(sourceWords, visibleWords)
  const within: number[] = []
  let before: number | null = null
  for (const [from, to] of pairs) {
    if (from < passage.first) before = to
    else if (from <= passage.last) within.push(to)
  }
  const [first] = within
  const last = within.at(-1)
  const isShown = first !== undefined && last !== undefined
  return { visible: isShown ? { first, last } : null, before, isStored: true }
}

const whole = (words: readonly string[]): WordSpan | null =>
  words.length === 0 ? null : { first: 0, last: words.length - 1 }

/** Lines of a passage that say enough to be searched for alone. */
const minWords = 3

/** The passage in the text; an address may have cut its last word off, and of an excerpt the first line counts. */
function findPassage(words: readonly string[], cited: string): WordSpan | null {
  const citedWords = wordsOf(cited)
  const lines = cited
    .split(/[\n…]/)
    .map(wordsOf)
    .filter((line) => line.length >= minWords)
  for (const one of [citedWords, citedWords.slice(0, -1), ...lines]) {
    const [at] = findRuns(words, one, 1)
    if (at !== undefined) return { first: at, last: at + one.length - 1 }
  }
  return null
}

/** Each word of the text that is shown, with its number there. */
function pairAll(words: readonly string[], visibleWords: readonly string[]): [number, number][] {
  const pairs: [number, number][] = []
  let from = 0
  let to = 0
  const pairUntil = (end: number) => {
    for (; from < end; from += 1, to += 1) pairs.push([from, to])
  }
  for (const { before, after } of align(words, visibleWords)) {
    pairUntil(before.start)
    from = before.end
    to = after.end
  }
  pairUntil(words.length)
  return pairs
}

/** Without the text around it: the passage as it stands, else paired with all that is shown. */
function pairPassage(words: readonly string[], visibleWords: readonly string[]): [number, number][] {
  const [at] = findRuns(visibleWords, words, 1)
  return at === undefined ? pairAll(words, visibleWords) : words.map((_, index) => [index, at + index])
}
