// The ways a turn ends that are not simply "the model is done". What the owner must know is part of the answer itself,
// so that it is in the conversation afterwards too.

import { ModelError, type ModelResponse } from '../model.ts'
import { addAssistant, addToAnswer, type Ending, emitStatus, emitText, raceAbort, type Turn } from './turn.ts'

/** The model ran into its output limit. */
export function endAtLength(turn: Turn): Ending {
  if (turn.progress.text === '')
    addToAnswer(turn, 'The model reached its length limit before it had written an answer.')
  else emitStatus(turn, 'The answer reached the length limit and ends here.')
  return { stopReason: 'max_tokens' }
}

export const unknownStop = (stopReason: string) =>
  new ModelError('model_failed', `The model stopped for a reason that Void does not know: "${stopReason}".`, {
    retryable: false,
  })

/** Keeps what was shown and states what happened. Calls and thinking of a refused message are not carried on. */
export async function endRefused(turn: Turn, response: ModelResponse): Promise<Ending> {
  const notice = 'The model declined to answer this.'
  emitText(turn, notice)
  const text = [response.text.trim().toWellFormed(), notice].filter(Boolean).join('\n\n')
  const content = [{ type: 'text' as const, text }]
  addAssistant(turn, content)
  await turn.host.onStep?.({ type: 'message', content, response })
  return { stopReason: 'refusal' }
}

/**
 * The model's context is full. The first time in a turn the history is made shorter and the loop goes on (`null`);
 * the second time, or with nothing to shorten it, the turn ends with an error. Answer text that was already shown is
 * kept, and the model is asked to go on from there, so that nothing is repeated.
 */
export async function compactOnce(turn: Turn, response: ModelResponse): Promise<Ending | null> {
  const { host, guard, own } = turn
  const text = response.text.trim()
  if (text !== '') addAssistant(turn, [{ type: 'text', text: text.toWellFormed() }])
  const compacting = own.compacted ? null : host.compact?.([...turn.history])
  if (!compacting) return contextFull()

  emitStatus(turn, 'The conversation has grown too long for the model. Summing up its beginning.')
  try {
    own.compacted = await raceAbort(compacting, guard.stop)
  } catch (error) {
    return guard.stop.aborted ? null : contextFull(error)
  }
  turn.history = [...own.compacted]
  own.from = turn.history.length
  await host.onStep?.({ type: 'compaction', messages: own.compacted })
  if (turn.history.at(-1)?.role === 'assistant') turn.history.push({ role: 'user', content: continuation })
  turn.continuing = text !== ''
  return null
}

const continuation =
  'Your answer was cut off because the context was full. Go on from exactly where it stopped.'

function contextFull(cause?: unknown): Ending {
  const message = 'The conversation is too long for the model. Start a new one, or ask about less at once.'
  const error = new ModelError('model_bad_request', message, { retryable: false, cause })
  return { stopReason: 'model_context_window_exceeded', error }
}
