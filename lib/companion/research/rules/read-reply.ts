import { plainWordsOf } from '../../../core/text/words/words.ts'

/** What a message to a run that waits means. */
export type Reply = { kind: 'go_on' } | { kind: 'cancel' } | { kind: 'change' }

const goOn =
  /^(?:1|y|yes|yep|ok|okay|sure|go|go on|go ahead|proceed|continue|carry on|start|run it|looks good|ja|weiter|los)$/
const cancel = /^(?:3|n|no|cancel|stop|abort|quit|exit|leave|leave research|nein|abbrechen)$/
const maxLength = 40

/** Exact words go on or cancel; anything else is what the owner wants otherwise. */
export function readReply(text: string): Reply {
  const words = plainWordsOf(text.slice(0, maxLength * 2)).join(' ')
  if (words.length <= maxLength && goOn.test(words)) return { kind: 'go_on' }
  if (words.length <= maxLength && cancel.test(words)) return { kind: 'cancel' }
  return { kind: 'change' }
}
