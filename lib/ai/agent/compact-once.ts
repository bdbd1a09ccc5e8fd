import { ModelError, type ModelResponse } from '../model.ts'
import { raceAbort } from './race-abort.ts'
import { addAssistant, type Ending, emit, type Turn } from './turn.ts'

/**
 * The model's context is full. The first time in a turn the history is made shorter and the loop goes on (`null`);
 * the second time, or with nothing to shorten it, the turn ends with an error. Answer text that was already shown is
 * kept, and the model is asked to go on from there, so that nothing is said twice.
 */
export async function compactOnce(turn: Turn, response: ModelResponse): Promise<Ending | null> {
  const said = response.text.trim()
  if (said !== '') addAssistant(turn, [{ type: 'text', text: said.toWellFormed() }])
  if (!turn.compact || turn.compacted) return tooLong()

  emit(turn, {
    type: 'status',
    message: 'The conversation has grown too long for the model. Summing up its beginning.',
  })
  try {
    turn.compacted = await raceAbort(turn.compact([...turn.history], turn.stop), turn.stop)
  } catch (error) {
    return turn.stop.aborted ? null : tooLong(error)
  }
  turn.history = [...turn.compacted]
  turn.ownFrom = turn.history.length
  await turn.onStep?.({ type: 'compaction', messages: turn.compacted })
  if (turn.history.at(-1)?.role === 'assistant') turn.history.push({ role: 'user', content: goOn })
  turn.continuing = said !== ''
  return null
}

const goOn = 'Your answer was cut off because the context was full. Go on from exactly where it stopped.'

function tooLong(cause?: unknown): Ending {
  const message = 'The conversation is too long for the model. Start a new one, or ask about less at once.'
  const error = new ModelError('model_bad_request', message, { retryable: false, cause })
  return { stopReason: 'model_context_window_exceeded', error }
}
