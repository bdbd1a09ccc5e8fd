// Leaving a run that waits, for a message about something else, is confirmed. What stays is checked before what leaves:
// a wrong guess then costs a message and not the run.

import { plainWordsOf } from '../../../core/text/words/words.ts'

/**
 * `stay`: the run waits as before. `go_on`: it goes on. `leave`: it is left, and the message that was kept is answered.
 * `cancel`: it is left, and nothing is answered. `other`: it is left, and this message is answered.
 */
export type Confirmation = 'stay' | 'go_on' | 'leave' | 'cancel' | 'other'

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

export function readConfirmation(text: string): Confirmation {
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
