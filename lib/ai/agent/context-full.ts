import { ModelError, type ModelResponse } from '../model.ts'
import type { Ending } from './turn.ts'

export const continuation =
  'Your answer was cut off because the context was full. Go on from exactly where it stopped.'

/** The ending of a turn that the model's context has no room for. */
export function contextFull({ overflow }: ModelResponse, cause?: unknown): Ending {
  const message = describeOverflow(overflow)
  const error = new ModelError('model_bad_request', message, { retryable: false, cause })
  return { stopReason: 'model_context_window_exceeded', error }
}

function describeOverflow(overflow: ModelResponse['overflow']): string {
  const { context = null, needed = null } = overflow ?? {}
  const count = (tokens: number) => tokens.toLocaleString('en')
  if (context === null)
    return 'The conversation is too long for the model. Start a new one, or ask about less at once.'
  const need = needed === null ? 'this request needs more' : `this request needs ${count(needed)}`
  return (
    `This model’s context is ${count(context)} tokens; ${need}. Raise the context of the model server ` +
    '(OLLAMA_CONTEXT_LENGTH, or --ctx-size of llama.cpp), start a new conversation, or ask about less at once.'
  )
}
