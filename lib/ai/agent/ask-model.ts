import { ModelError, type ModelMessage, type ModelResponse } from '../model.ts'
import { reachedLimit } from './endings.ts'
import { raceAbort } from './race-abort.ts'
import { countUsage, type Ending, emit, keepText, say, type Turn } from './turn.ts'

type Request = { messages: ModelMessage[]; withTools: boolean }

/**
 * One model call, or the ending when it failed or was stopped; what it had said by then is kept in the history.
 * Text is told as it comes, and what a model did not stream is told at the end.
 */
export async function askModel(turn: Turn, request?: Request): Promise<{ response: ModelResponse } | Ending> {
  const { messages = turn.history, withTools = true } = request ?? {}
  const tools = turn.registry.toAnthropicTools()
  const before = turn.text.length
  let streamed = ''
  let open = true
  try {
    const call = turn.callModel({
      system: turn.system,
      ...(turn.systemFixed === undefined ? {} : { systemFixed: turn.systemFixed }),
      messages: [...messages],
      ...(withTools ? { tools } : { tools: [], withheldTools: tools }),
      onTextDelta: (text) => {
        if (!open) return
        streamed += text
        say(turn, text)
      },
      onStatus: (message) => open && emit(turn, { type: 'status', message }),
      signal: turn.stop,
    })
    const response = await raceAbort(call, turn.stop)
    countUsage(turn, response)
    if (response.text.startsWith(streamed)) say(turn, response.text.slice(streamed.length))
    return { response }
  } catch (error) {
    turn.continuing = false
    keepText(turn, turn.text.slice(before))
    return endingOf(turn, error)
  } finally {
    open = false
    turn.continuing = false
  }
}

function endingOf(turn: Turn, error: unknown): Ending {
  if (turn.stop.aborted) return reachedLimit(turn) ?? { stopReason: 'aborted' }
  if (error instanceof ModelError) return { stopReason: 'error', error }
  const unexpected = 'The call of the model failed on Void’s side.'
  return {
    stopReason: 'error',
    error: new ModelError('model_failed', unexpected, { retryable: false, cause: error }),
  }
}
