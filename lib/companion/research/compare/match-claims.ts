// Which claim says what an earlier one said: the same words, or nearly all words of both with nothing that code sees
// differ.

import { plainWordsOf } from '../../../core/text/words/words.ts'
import { textTask } from '../../../jobs/workers/text-threads.ts'
import { redFlags } from '../verify/flags.ts'
import { coverage, readStatement, type Statement } from '../verify/statement.ts'

/** Of each claim the place of the one that says the same, or -1. Each is taken once. */
export function matchClaims({ previous, current }: { previous: string[]; current: string[] }): number[] {
  const open = new Set(current.keys())
  const take = (at: number | undefined): number => {
    if (at === undefined) return -1
    open.delete(at)
    return at
  }
  const words = current.map(normalize)
  const found = previous.map((text) => take([...open].find((at) => words[at] === normalize(text))))
  const [before, now] = [previous, current].map((texts) => texts.map((text) => readStatement(text)))
  return found.map((at, from) =>
    at >= 0 ? at : take([...open].find((to) => saysTheSame(before![from]!, now![to]!))),
  )
}

export const matchTask = textTask(new URL(import.meta.url), matchClaims)

const normalize = (text: string) => plainWordsOf(text).join(' ')

/** Of the words of each claim, the share that the other one has. */
const minShared = 0.8

const saysTheSame = (one: Statement, other: Statement): boolean =>
  coverage(one, other) >= minShared &&
  coverage(other, one) >= minShared &&
  [
    [one, other],
    [other, one],
  ].every(([a, b]) => redFlags(a!, { sentences: [b!], around: () => [] }).reasons.length === 0)
