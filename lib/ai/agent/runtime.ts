// The agent loop: call the model, run the tools it asks for, call it again with their results, until it is done.
//
// A turn ends in a result, not in an exception. A model that cannot be reached, a limit, a stop by the owner: the
// result says so in `stopReason` and `error`, and keeps the text, the calls and the messages up to there. `runTurn`
// rejects only with what `onStep` rejected with.
//
// Whatever is sent or returned is a valid history: each tool_use is answered in the next message, no block is empty.

import type { ModelError, ModelMessage, ModelResponse, Usage } from '../model.ts'
import { answerOpenCalls, runCalls } from './answer-calls.ts'
import { askModel } from './ask-model.ts'
import { type CarriedMessage, carryBack, isText } from './carry-back.ts'
import { compactOnce } from './compact-once.ts'
import { cutShort, mustEnd, refuse, stopAtLimit, unknownStop } from './endings.ts'
import type { ToolCallRecord } from './events.ts'
import { refusalOf } from './refusal-of.ts'
import { addAssistant, type Ending, emit, startTurn, type Turn, type TurnOptions } from './turn.ts'

export type { AgentEvent, ToolCallRecord, TurnStep } from './events.ts'
export type { TurnOptions } from './turn.ts'

export type TurnResult = {
  /** What the owner was shown: the `text` events joined. Kept however the turn ended. */
  text: string
  toolTrace: ToolCallRecord[]
  /** The pending changes that the calls stored, in order. */
  draftIds: string[]
  /** Summed over the model calls, also those of a turn that failed. */
  usage: Usage
  /** Whether a limit ended the turn; `stopReason` is then `iteration_limit`, `token_limit`, `time_limit` or `budget`. */
  stoppedOnGuard: boolean
  /** The model's own reason; or one of the limits; or `aborted`; or `error` when a model call failed. */
  stopReason: string
  /** Why there is no (whole) answer. Also set for a stop reason that is not known, which `stopReason` then names. */
  error: ModelError | null
  /** The messages of this turn, valid behind the given ones or, when set, behind `compacted`. */
  messages: ModelMessage[]
  /** What replaced everything before `messages`. */
  compacted: ModelMessage[] | null
}

export async function runTurn(options: TurnOptions): Promise<TurnResult> {
  const { turn, release } = startTurn(options)
  try {
    const ending = await drive(turn)
    return toResult(turn, ending)
  } finally {
    turn.settled = true
    release()
  }
}

async function drive(turn: Turn): Promise<Ending> {
  await answerOpenCalls(turn)
  const done = turn.earlier?.modelCalls ?? 0
  for (let iteration = done; iteration < (turn.maxIterations ?? 6); iteration += 1) {
    const limit = await mustEnd(turn)
    if (limit) return limit

    const answer = await askModel(turn)
    if (!('response' in answer)) return answer
    const ending = await settle(turn, answer.response)
    if (ending) return ending
  }
  return (await mustEnd(turn)) ?? answerWithoutTools(turn)
}

/** Takes in a whole message of the model; the ending when the turn is over with it. */
async function settle(turn: Turn, response: ModelResponse): Promise<Ending | null> {
  const { stopReason } = response
  if (stopReason === 'model_context_window_exceeded') return compactOnce(turn, response)
  if (stopReason === 'refusal') return refuse(turn, response)

  const message = carryBack(response, turn.usedIds)
  addAssistant(turn, message.content)
  await turn.onStep?.({ type: 'message', content: message.content, response })
  if (message.calls.length > 0) {
    await runCalls(turn, message.calls, (index) => refusalOf(message, index, stopReason))
  }
  return endingAfter(turn, message, stopReason)
}

function endingAfter(turn: Turn, message: CarriedMessage, stopReason: string | null): Ending | null {
  switch (stopReason) {
    case 'pause_turn':
      turn.continuing = message.calls.length === 0
      return null
    case 'max_tokens':
      return message.calls.length > 0 ? null : cutShort(turn)
    case 'tool_use':
    case 'end_turn':
    case 'stop_sequence':
    case null:
      return message.calls.length > 0 ? null : { stopReason: stopReason ?? 'end_turn' }
    default:
      return { stopReason, error: unknownStop(stopReason) }
  }
}

/** The calls are used up: asks once, with no tools, for an answer from what was found. */
async function answerWithoutTools(turn: Turn): Promise<Ending> {
  const limit = { stopReason: 'iteration_limit', stoppedOnGuard: true }
  emit(turn, {
    type: 'status',
    message: 'The tool calls of this turn are used up. Answering from what was found.',
  })

  const answer = await askModel(turn, { messages: withLastWord(turn.history), withTools: false })
  if (!('response' in answer)) return answer.stopReason === 'error' ? { ...answer, ...limit } : answer
  const spoken = answer.response.content.filter((block) => block.type !== 'tool_use')
  const { content: kept } = carryBack({ ...answer.response, content: spoken, toolUses: [] }, turn.usedIds)
  if (!kept.some(isText))
    return stopAtLimit(turn, limit.stopReason, 'the tool calls of this turn are used up')
  addAssistant(turn, kept)
  await turn.onStep?.({ type: 'message', content: kept, response: answer.response })
  return limit
}

/** The history for that call only: the request stands in no record, so that it steers no later turn. */
function withLastWord(history: ModelMessage[]): ModelMessage[] {
  const text =
    'You have used all tool calls of this turn. Answer now from what you have found, and say what is missing.'
  const block = { type: 'text' as const, text }
  const last = history.at(-1)
  if (last?.role !== 'user' || typeof last.content === 'string')
    return [...history, { role: 'user', content: [block] }]
  return [...history.slice(0, -1), { role: 'user', content: [...last.content, block] }]
}

function toResult(turn: Turn, ending: Ending): TurnResult {
  const { text, toolTrace, usage, compacted } = turn
  const draftIds = toolTrace.map((call) => call.draftId).filter((id) => id !== null)
  const messages = turn.history.slice(turn.ownFrom)
  const { stopReason, error = null, stoppedOnGuard = false } = ending
  return { text, toolTrace, draftIds, usage, stoppedOnGuard, stopReason, error, messages, compacted }
}
