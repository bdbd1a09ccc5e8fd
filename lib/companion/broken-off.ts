// What the model is told of an answer of its own that never came to its end: the words that the owner saw, and that they
// were broken off. A model that did not know would go on as if it had said nothing, or everything.

import type { SaidRow } from '../db/repos/messages.ts'

const marks = {
  stopped: '[Void: this answer was broken off here. The owner stopped it.]',
  failed: '[Void: this answer was broken off here by a failure.]',
} as const

/** The text of a message; one that was broken off says so at its end. */
export const markedBody = ({ body, broken_off }: SaidRow) => withMark(body, broken_off)

/**
 * What an answer said behind the texts of its finished steps, marked. `null` when it came to its end, or there was
 * nothing to it.
 */
export function wordsBehind({ body, broken_off }: SaidRow, finished: readonly string[]): string | null {
  if (broken_off === null) return null
  let from = 0
  for (const text of finished) {
    const at = body.indexOf(text, from)
    if (at !== -1) from = at + text.length
  }
  const words = body.slice(from).trimStart()
  return words === '' ? marks[broken_off] : withMark(words, broken_off)
}

const withMark = (text: string, brokenOff: SaidRow['broken_off']) =>
  brokenOff === null || text === '' ? text : `${text}\n\n${marks[brokenOff]}`
