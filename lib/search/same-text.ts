// Passages with equal or nearly equal texts: copies of a note, letters sent to many, what is quoted again and again.

import { wordsOf } from '../core/text/words/words.ts'

/** Shorter texts say too little to be copies of each other: two tasks of one name are two. */
const minWords = 8
/** Share of the runs of three words that nearly equal texts have in common, of all that either has (Broder's resemblance). */
const minResemblance = 0.9

/**
 * Says of each text which earlier one it repeats, if any. It is compared to all before it that are about as long: for the
 * results of a page.
 */
export function createTwins<Of>(): (text: string, of: Of) => Of | null {
  const seen: { text: string; of: Of }[] = []
  const runs = new Map<string, ReadonlySet<string>>()
  const runsOf = (text: string) => {
    const own = runs.get(text) ?? runsIn(text)
    runs.set(text, own)
    return own
  }

  return (text, of) => {
    const near = seen.find(
      (other) =>
        isAsLong(text, other.text) && (text === other.text || resembles(runsOf(text), runsOf(other.text))),
    )
    if (near && (text !== near.text || wordsOf(text).length >= minWords)) return near.of
    seen.push({ text, of })
    return null
  }
}

const isAsLong = (one: string, other: string) =>
  Math.min(one.length, other.length) >= Math.max(one.length, other.length) * (minResemblance - 0.05)

function runsIn(text: string): ReadonlySet<string> {
  const words = wordsOf(text)
  if (words.length < minWords) return new Set()
  return new Set(words.slice(2).map((word, at) => `${words[at]} ${words[at + 1]} ${word}`))
}

function resembles(one: ReadonlySet<string>, other: ReadonlySet<string>): boolean {
  const [small, large] = one.size < other.size ? [one, other] : [other, one]
  if (small.size === 0) return false
  let common = 0
  for (const run of small) if (large.has(run)) common += 1
  return common >= (small.size + large.size - common) * minResemblance
}
