import { type Reply, say } from '../reply.ts'
import { connectAModel } from './connect.ts'
import type { Keywords, Term } from './keywords.ts'
import { nameOf } from './quote.ts'
import type { Candidate } from './rank.ts'

/** Says what is not there and what may help; `near` are passages that hold a part of the question. */
export function nothingFound(keywords: Keywords, near: readonly Candidate[]): Reply {
  const covered = [...new Set(near.flatMap((each) => [...each.covered]))]
  const missing = keywords.terms.filter((term) => !covered.includes(term))
  const names = [...new Set(near.map(({ found, heading }) => nameOf(found, heading)))].slice(0, 3)
  return say(
    `I found nothing in this Space ${missing.length > 0 ? `about ${quotedWords(missing)}` : 'for that'}.`,
    covered.length > 0 ? `What mentions ${quotedWords(covered)}: ${names.join('; ')}.` : '',
    'Another word for the same thing may help: I look for the words themselves, their endings and small typing errors, not for meanings.',
    connectAModel,
  )
}

export const quotedWords = (terms: readonly Term[]): string =>
  terms
    .slice(0, 6)
    .map(({ word }) => `“${word}”`)
    .join(', ')
