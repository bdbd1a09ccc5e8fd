// What a message to a run that waits comes to, by exact words first and then by what a classifier made of it.

import { readConfirmation } from './read-confirmation.ts'
import { readReply } from './read-reply.ts'

/**
 * `confirm`: the owner is asked whether to leave the run for this message. `stay`: the run waits as before, and the next
 * message is for it. `leave`: the run is left, and `text` is answered.
 */
export type PausedMessage =
  | { kind: 'go_on' | 'cancel' | 'change' | 'confirm' | 'stay' }
  | { kind: 'leave'; text: string }

/**
 * `breakOut`: the message that waits to be confirmed; '' once the owner has stayed; `null` for none. `isElse`: a
 * classifier takes this message for something else than an answer to the run.
 */
export function readMessage(
  text: string,
  { breakOut, isElse }: { breakOut: string | null; isElse: boolean },
): PausedMessage {
  if (!breakOut) {
    const { kind } = readReply(text)
    const leaves = kind === 'cancel' || (kind === 'change' && isElse && breakOut === null)
    return { kind: leaves ? 'confirm' : kind }
  }
  const kind = readConfirmation(text)
  // There is nothing to answer in it.
  if (kind === 'leave' && isCancel(breakOut)) return { kind: 'cancel' }
  if (kind === 'leave') return { kind, text: breakOut }
  return kind === 'other' ? { kind: 'leave', text } : { kind }
}

/** Whether these words only leave. */
export const isCancel = (text: string): boolean => readReply(text).kind === 'cancel'

/** Whether a classifier has to say what a message is. */
export const isUnclear = (text: string, breakOut: string | null): boolean =>
  breakOut === null && readReply(text).kind === 'change'
