// The ways a turn ends that are not simply "the model is done". What the owner must know is said in the answer itself,
// so that it stands in the conversation afterwards too.

import { ModelError, type ModelResponse } from '../model.ts'
import { addAssistant, type Ending, emit, keepText, say, type Turn, totalTokens } from './turn.ts'

/** Stopped by the owner, or by a limit that leaves no room for another call. */
export function reachedLimit(turn: Turn): Ending | null {
  const elapsed = turn.clock() - turn.startedAt
  if (turn.timedOut() || (!turn.stop.aborted && elapsed >= turn.bounds.wallClockMs)) {
    const minutes = Math.max(1, Math.round(turn.bounds.wallClockMs / 60_000))
    return stopAtLimit(turn, 'time_limit', `this turn has taken its ${minutes} min`)
  }
  if (turn.stop.aborted) return { stopReason: 'aborted' }
  if (totalTokens(turn) < turn.bounds.totalTokens) return null
  return stopAtLimit(turn, 'token_limit', `this turn has used its ${turn.bounds.totalTokens} tokens`)
}

/** What ends a turn before the next call of the model: `reachedLimit`, or a refusal of the call. */
export async function mustEnd(turn: Turn): Promise<Ending | null> {
  const limit = reachedLimit(turn)
  if (limit) return limit
  const refusal = (await turn.refuseCall?.()) ?? null
  if (refusal === null) return null
  sayAndKeep(turn, refusal)
  return { stopReason: 'budget', stoppedOnGuard: true }
}

/** Says in the answer why it ends here. */
export function stopAtLimit(turn: Turn, stopReason: string, what: string): Ending {
  sayAndKeep(turn, `I stopped here, because ${what}. Ask again to go on.`)
  return { stopReason, stoppedOnGuard: true }
}

/** The model ran into its output limit. */
export function cutShort(turn: Turn): Ending {
  if (turn.text === '')
    sayAndKeep(turn, 'The model reached its length limit before it had written an answer.')
  else emit(turn, { type: 'status', message: 'The answer reached the length limit and ends here.' })
  return { stopReason: 'max_tokens' }
}

export const unknownStop = (stopReason: string) =>
  new ModelError('model_failed', `The model stopped for a reason that Void does not know: "${stopReason}".`, {
    retryable: false,
  })

/** Keeps what was shown and says what happened. Calls and thinking of a refused message are not carried on. */
export async function refuse(turn: Turn, response: ModelResponse): Promise<Ending> {
  const notice = 'The model declined to answer this.'
  say(turn, notice)
  const content = [
    {
      type: 'text' as const,
      text: [response.text.trim().toWellFormed(), notice].filter(Boolean).join('\n\n'),
    },
  ]
  addAssistant(turn, content)
  await turn.onStep?.({ type: 'message', content, response })
  return { stopReason: 'refusal' }
}

function sayAndKeep(turn: Turn, text: string): void {
  say(turn, text)
  turn.continuing = false
  keepText(turn, text)
}
