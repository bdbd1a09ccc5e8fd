// Finds words of a rendered page in its Markdown. What rendering removes (marks, targets of links) is between the words;
// the words and their order are the same.

import { type PlacedWord, placedWords } from '../../../lib/core/text/words/words.ts'

export type VisibleText = {
  /** What is shown before the passage, the passage, and what follows it. */
  before: string
  passage: string
  after: string
}

/** Words of the source between two rendered ones: the target of a link. */
const maxWordsBetween = 40
/** Words that are compared for one search: a text that is the same words over and over has no place worth the wait. */
const maxCompared = 5_000_000

/**
 * The characters of `source` from the first word of the passage to its last; a word that is half in it counts whole.
 * `null` when it does not have the words in this order. Of several places it is the one with as many after it as the
 * page shows after the passage: what a page leaves out of its text, it leaves out at the start. `null` too where that
 * would take too long to find out.
 */
export function locatePassage(source: string, visible: VisibleText): { start: number; end: number } | null {
  const { passage, after } = withWholeWords(visible)
  const passageWords = placedWords(passage).map(({ word }) => word)
  if (passageWords.length === 0) return null
  const words = placedWords(source)
  const whole = findAll(words, passageWords, 0)
  const places = whole.length > 0 ? whole : findAll(words, passageWords, maxWordsBetween)
  if (places.length === 0) return null

  const later = findAll(placedWords(after), passageWords, 0).length
  const { first, last } = places[Math.max(0, places.length - 1 - later)]!
  return { start: words[first]!.start, end: words[last]!.end }
}

function withWholeWords({ before, passage, after }: VisibleText): Pick<VisibleText, 'passage' | 'after'> {
  const isWord = (character: string | undefined) => /[\p{L}\p{M}\p{N}]/u.test(character ?? '')
  const head = isWord(passage[0]) ? (/[\p{L}\p{M}\p{N}]*$/u.exec(before)?.[0] ?? '') : ''
  const tail = isWord(passage.at(-1)) ? (/^[\p{L}\p{M}\p{N}]*/u.exec(after)?.[0] ?? '') : ''
  return { passage: head + passage + tail, after: after.slice(tail.length) }
}

type Place = { first: number; last: number }

/** Every place at which the wanted words follow one another, with at most `between` others from one to the next. */
function findAll(words: readonly PlacedWord[], passageWords: readonly string[], between: number): Place[] {
  const places: Place[] = []
  let budget = maxCompared
  for (let first = 0; first <= words.length - passageWords.length; first += 1) {
    if (words[first]!.word !== passageWords[0]) continue
    const last = follow(first)
    if (budget < 0) return []
    if (last === null) continue
    places.push({ first, last })
    first = last
  }
  return places

  function follow(first: number): number | null {
    let at = first
    for (let n = 1; n < passageWords.length && budget >= 0; n += 1) {
      const end = Math.min(words.length, at + 2 + between)
      let next = at + 1
      while (next < end && words[next]!.word !== passageWords[n]) next += 1
      budget -= next - at
      if (next >= end) return null
      at = next
    }
    return at
  }
}
