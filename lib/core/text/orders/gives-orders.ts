// Whether a text gives orders to a model that reads it, or claims a role for it. Rules over words and shapes alone: what
// they miss is still text from outside, which meets gates that do not read. What they find is said to be found, never
// quoted as an order.

import { deedRules } from './deed-rules.ts'
import { holdsOrderShape } from './order-shapes.ts'
import { overrideRules } from './override-rules.ts'
import { plainWords } from './plain-words.ts'
import { readSentences } from './read-sentences.ts'
import { roleRules } from './role-rules.ts'

/**
 * Whether the text gives orders to a model: to set aside its instructions, to be somebody else, to act in the owner's
 * name or unseen, in any of fourteen languages; or whether it holds what only prompts and calls of tools hold, or
 * letters that nobody sees. What is written in Base64 within it is read, too. Takes time in proportion to its length.
 */
export const givesOrders = (text: string): boolean =>
  isOrder(text) || (text.match(base64) ?? []).some((run) => isOrder(decoded(run)))

function isOrder(text: string): boolean {
  const plain = plainWords(text)
  if (holdsOrderShape(text, plain)) return true
  for (const sentence of readSentences(plain)) if (rules.some((rule) => rule(sentence))) return true
  return false
}

const rules = [...overrideRules, ...roleRules, ...deedRules]

const base64 = /(?<![A-Za-z0-9+/])[A-Za-z0-9+/]{24,4000}={0,2}/g

/** What is written in Base64; empty where it is something else. */
function decoded(run: string): string {
  try {
    const letters = atob(run.slice(0, run.length - (run.replace(/=+$/, '').length % 4 === 1 ? 1 : 0)))
    const text = new TextDecoder('utf-8', { fatal: true }).decode(
      Uint8Array.from(letters, (c) => c.charCodeAt(0)),
    )
    return /\p{Cc}/u.test(text.replace(/\s/g, '')) ? '' : text
  } catch {
    return ''
  }
}
