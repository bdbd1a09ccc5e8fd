// What stands near what in a sentence. Distances are in units of `Sentence.places`: two for a word, one for a sign.

import type { Concept } from './lexicon.ts'
import type { Hit, Sentence } from './read-sentences.ts'

/** A rule finds an order in a sentence. */
export type Rule = (sentence: Sentence) => boolean

export type Reach = { before?: number; after?: number }

/** Where a sentence says any of some concepts. */
export const saysOf = ({ hits }: Sentence, ...concepts: readonly Concept[]): Hit[] =>
  concepts.flatMap((concept) => hits.get(concept) ?? [])

/** Where it tells somebody to, and not not to. */
export const ordersTo = (sentence: Sentence, ...concepts: readonly Concept[]): Hit[] =>
  saysOf(sentence, ...concepts).filter((hit) => hit.ordered && !isDenied(sentence, hit))

export const isDenied = (sentence: Sentence, hit: Hit): boolean =>
  isNear(sentence, hit, ['negation'], { before: 4, after: 2 })

/** What of some concepts begins within reach of some words; within them, too. */
export function around(
  { hits, places }: Sentence,
  { start, end }: Pick<Hit, 'start' | 'end'>,
  concepts: readonly Concept[],
  { before = 0, after = 0 }: Reach,
): Hit[] {
  const from = places[start]! - before
  const to = places[end - 1]! + after
  return concepts.flatMap((concept) => {
    const all = hits.get(concept) ?? []
    const first = firstFrom(all, places, from)
    let last = first
    while (last < all.length && places[all[last]!.start]! <= to) last++
    return all.slice(first, last)
  })
}

export const isNear = (
  sentence: Sentence,
  hit: Pick<Hit, 'start' | 'end'>,
  concepts: readonly Concept[],
  reach: Reach,
): boolean => around(sentence, hit, concepts, reach).length > 0

/** The index of the first hit at a place or after it. */
function firstFrom(all: readonly Hit[], places: readonly number[], from: number): number {
  let [low, high] = [0, all.length]
  while (low < high) {
    const middle = (low + high) >> 1
    if (places[all[middle]!.start]! < from) low = middle + 1
    else high = middle
  }
  return low
}

/** Two hits in the order in which they stand. */
export const inOrder = (one: Hit, other: Hit): [Hit, Hit] =>
  one.start <= other.start ? [one, other] : [other, one]
