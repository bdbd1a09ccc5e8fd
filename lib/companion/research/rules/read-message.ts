// What a message to a run that waits comes to, by exact words first and then by what a classifier made of it.

import { ResearchDepth } from '../../../contract/research.ts'
import { plainWordsOf } from '../../../core/text/words/words.ts'

/**
 * `confirm`: the owner is asked whether to leave the run for this message. `stay`: the run waits as before, and the next
 * message is for it. `leave`: the run is left, and `text` is answered.
 */
type PausedMessage =
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

// Leaving a run that waits, for a message about something else, is confirmed. What stays is checked before what leaves:
// a wrong guess then costs a message and not the run.

/**
 * `stay`: the run waits as before. `go_on`: it goes on. `leave`: it is left, and the message that was kept is answered.
 * `cancel`: it is left, and nothing is answered. `other`: it is left, and this message is answered.
 */
type Confirmation = 'stay' | 'go_on' | 'leave' | 'cancel' | 'other'

const maxLength = 60

const goOn = exactly('go on', 'go ahead', 'proceed', 'continue', 'carry on', 'weiter')

const stay = exactly(
  ...['2', 'n', 'no', 'nope', 'nein', 'stay', 'stay in research', 'back', 'go back', 'wait', 'not now'],
  ...['go on', 'go ahead', 'proceed', 'continue', 'carry on', 'weiter', 'with research', 'with the research'],
  ...['do not', 'don t', 'dont', 'do not leave', 'don t leave', 'dont leave', 'never mind', 'nevermind'],
  ...['do not cancel', 'don t cancel', 'dont cancel', 'please', 'bleiben'],
)

const cancel = exactly('3', 'cancel', 'stop', 'abort', 'quit', 'exit', 'abbrechen', 'please')

const leave = exactly(
  ...['1', 'y', 'yes', 'yep', 'ok', 'okay', 'sure', 'ja', 'leave', 'leave research', 'leave the research'],
  ...['leave it', 'and answer', 'and answer it', 'answer', 'answer it', 'please', 'verlassen'],
)

function readConfirmation(text: string): Confirmation {
  const words = plainWordsOf(text.slice(0, maxLength * 2)).join(' ')
  if (words.length > maxLength || words === '') return 'other'
  if (goOn.test(words)) return 'go_on'
  if (stay.test(words)) return 'stay'
  if (cancel.test(words)) return 'cancel'
  return leave.test(words) ? 'leave' : 'other'
}

/** Nothing but these phrases, in any order. */
function exactly(...phrases: readonly string[]): RegExp {
  const any = phrases.toSorted((a, b) => b.length - a.length).join('|')
  return new RegExp(`^(?:${any})(?: (?:${any}))*$`)
}

/** What a message to a run that waits means. */
export type Reply = { kind: 'go_on' } | { kind: 'cancel' } | { kind: 'change' }

const replyGoOn =
  /^(?:1|y|yes|yep|ok|okay|sure|go|go on|go ahead|proceed|continue|carry on|start|run it|looks good|ja|weiter|los)$/

const replyCancel = /^(?:3|n|no|cancel|stop|abort|quit|exit|leave|leave research|nein|abbrechen)$/

const maxReply = 40

/** Exact words go on or cancel; anything else is what the owner wants otherwise. */
export function readReply(text: string): Reply {
  const words = plainWordsOf(text.slice(0, maxReply * 2)).join(' ')
  if (words.length <= maxReply && replyGoOn.test(words)) return { kind: 'go_on' }
  if (words.length <= maxReply && replyCancel.test(words)) return { kind: 'cancel' }
  return { kind: 'change' }
}

const command = /^\s{0,100}\/research(?:\s{1,100}(quick|standard|deep))?\s/i

/** `/research [quick|standard|deep] question`: the depth and the question; `null` for any other message. */
export function readCommand(text: string): { depth: ResearchDepth; question: string } | null {
  const begin = command.exec(text)
  const question = begin ? text.slice(begin[0].length).trim() : ''
  if (!begin || question === '') return null
  return { depth: ResearchDepth.catch('standard').parse(begin[1]?.toLowerCase()), question }
}
