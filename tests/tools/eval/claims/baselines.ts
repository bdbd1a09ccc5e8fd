// What the check of claims is held beside: the share of a claim's words that a passage has, and BM25 of its best sentence.

import { allSentences } from '../../../../lib/companion/research/rules/sentences.ts'
import { wordsOf } from '../../../../lib/core/text/words/words.ts'

/** How much a passage speaks for a claim; only the order of these numbers means something. */
export type Baseline = (claim: string, passage: string) => number

/** Words, and twice the numbers and words with a capital letter. */
export const overlap: Baseline = (claim, passage) => {
  const has = new Set(wordsOf(passage))
  const words = claim.match(/[\p{L}\p{N}]+/gu) ?? []
  const weightOf = (word: string) => (/^\p{Lu}|\p{N}/u.test(word) ? 2 : 1)
  const sum = (some: readonly string[]) => some.reduce((total, word) => total + weightOf(word), 0)
  return sum(words.filter((word) => wordsOf(word).every((one) => has.has(one)))) / Math.max(1, sum(words))
}

const [k1, b] = [1.2, 0.75]

/** Over the sentences of the passage, as a share of what the claim itself would have. */
export const bm25: Baseline = (claim, passage) => {
  const sentences = allSentences(passage).map(wordsOf)
  const mean = sentences.reduce((sum, { length }) => sum + length, 0) / Math.max(1, sentences.length)
  const words = [...new Set(wordsOf(claim))]
  const rarity = new Map(
    words.map((word) => {
      const count = sentences.filter((sentence) => sentence.includes(word)).length
      return [word, Math.log(1 + (sentences.length - count + 0.5) / (count + 0.5))]
    }),
  )
  const score = (sentence: readonly string[]) =>
    words.reduce((sum, word) => {
      const count = sentence.filter((one) => one === word).length
      const length = 1 - b + (b * sentence.length) / Math.max(1, mean)
      return sum + (rarity.get(word)! * count * (k1 + 1)) / (count + k1 * length)
    }, 0)
  return Math.max(0, ...sentences.map(score)) / Math.max(1e-9, score(wordsOf(claim)))
}

type Labelled = { isSupported: boolean; score: number }

/** The mean of what is right of supported and of other claims, at the threshold that is best in one half. */
export function balancedAccuracy(tuned: readonly Labelled[], judged: readonly Labelled[]): number {
  const at = (rows: readonly Labelled[], threshold: number) => {
    const share = (isSupported: boolean) => {
      const some = rows.filter((row) => row.isSupported === isSupported)
      return some.filter(({ score }) => score >= threshold === isSupported).length / Math.max(1, some.length)
    }
    return (share(true) + share(false)) / 2
  }
  const thresholds = Array.from({ length: 101 }, (_, n) => n / 100)
  const best = thresholds.toSorted((one, other) => at(tuned, other) - at(tuned, one))[0]!
  return at(judged, best)
}
