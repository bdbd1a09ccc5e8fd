// The agent loop: call the model, run the tools it asks for, call it again with their results, until it is done.
//
//   runtime.ts       the loop: asks the model, handles its response, and ends the turn
//   call-tools.ts    the calls of one message, one after the other
//   run-tool.ts      one call: validates, runs, and fits the result
//   turn.ts          options, limits and state of a turn; emits its text
//   thinking.ts      what the model thinks, shown beside the answer
//   events.ts        events, steps, and the progress they add up to
//
// A turn ends in a result, not in an exception. A model that cannot be reached, a limit, a stop by the owner: the
// result says so in `stopReason` and `error`, and keeps the text, the calls and the messages up to there. `runTurn`
// rejects only with what `onStep` or `refuseCall` rejected with.
//
// Whatever is sent or returned is a valid history: each tool_use is answered in the next message, no block is empty.

import type { ToolTraceEntry } from '../../contract/events/events.ts'
import { cleanText } from '../../core/text/clean.ts'
import {
  cleanResponse,
  isText,
  type NormalizedMessage,
  normalizeResponse,
} from '../history/normalize-response.ts'
import { type ContentBlock, ModelError, type ModelMessage, type ModelResponse, type Usage } from '../model.ts'
import { answerOpenCalls, callTools } from './call-tools.ts'
import { contextFull, continuation } from './context-full.ts'
import { toolTrace } from './events.ts'
import { emitThinking, endThinking } from './thinking.ts'
import {
  addAssistant,
  addText,
  addToAnswer,
  countContent,
  countUsage,
  type Ending,
  emit,
  emitStatus,
  emitText,
  endAtLimit,
  endBeforeCall,
  raceAbort,
  reachedLimit,
  startTurn,
  type Turn,
  type TurnOptions,
} from './turn.ts'

export type TurnResult = {
  /** The text that the owner was shown: the `delta` events joined. Kept however the turn ended. */
  text: string
  toolTrace: ToolTraceEntry[]
  /** The pending changes that the calls stored, in order. */
  draftIds: string[]
  /** Summed over the model calls, also those of a turn that failed. */
  usage: Usage
  /** Whether a limit ended the turn; `stopReason` is then `iteration_limit`, `token_limit`, `time_limit`, `size_limit`
   * or `budget`. */
  stoppedOnGuard: boolean
  /** The model's own reason; or one of the limits; or `aborted`; or `error` when a model call failed. */
  stopReason: string
  /** Why there is no (whole) answer. */
  error: ModelError | null
  /** The messages of this turn, valid behind the given ones or, when set, behind `compacted`. */
  messages: ModelMessage[]
  /** The messages that replaced everything before `messages`. */
  compacted: ModelMessage[] | null
}

export async function runTurn(options: TurnOptions): Promise<TurnResult> {
  const { turn, release } = startTurn(options)
  try {
    const ending = await loop(turn)
    return toResult(turn, ending)
  } finally {
    turn.settled = true
    release()
  }
}

async function loop(turn: Turn): Promise<Ending> {
  if (!endsWithQuestion(turn.history)) await answerOpenCalls(turn)
  const { maxIterations = 6 } = turn.options
  const done = turn.host.earlier?.modelCalls ?? 0
  for (let iteration = done; iteration < maxIterations; iteration += 1) {
    const limit = await endBeforeCall(turn)
    if (limit) return limit

    const answer = await askModel(turn)
    if (!('response' in answer)) return answer
    const ending = await handleResponse(turn, answer.response)
    if (ending) return ending
  }
  return (await endBeforeCall(turn)) ?? answerWithoutTools(turn)
}

/** Whether an earlier attempt left no call open. */
function endsWithQuestion(history: readonly ModelMessage[]): boolean {
  const last = history.at(-1)
  if (last?.role !== 'user') return false
  return typeof last.content === 'string' || last.content.some(({ type }) => type !== 'tool_result')
}

/** Adds a whole message of the model to the turn; the ending if the turn is over with it. */
async function handleResponse(turn: Turn, response: ModelResponse): Promise<Ending | null> {
  const { stopReason } = response
  if (stopReason === 'model_context_window_exceeded') return compactOnce(turn, response)
  if (stopReason === 'refusal') return endRefused(turn, response)

  const message = normalizeResponse(response, turn.usedIds)
  await addMessage(turn, message.content, response)
  if (message.calls.length > 0) await callTools(turn, message, stopReason)
  return endingAfter(turn, message, stopReason)
}

/** Adds a message of the model to the history, emits its citations, and has it stored. */
async function addMessage(turn: Turn, content: ContentBlock[], response: ModelResponse): Promise<void> {
  const { host, progress } = turn
  addAssistant(turn, content)
  if (host.readCitations) {
    const length = content.reduce((sum, block) => sum + (isText(block) ? block.text.length : 0), 0)
    for (const citation of await host.readCitations(content, progress.text.length - length)) {
      emit(turn, { type: 'citation', data: citation })
    }
  }
  await host.onStep?.({ type: 'message', content, response })
}

function endingAfter(turn: Turn, message: NormalizedMessage, stopReason: string | null): Ending | null {
  const last = message.calls.find(({ name }) => turn.options.registry.getTool(name)?.ends)
  if (last && isDone(turn, last.id)) return { stopReason: last.name }
  switch (stopReason) {
    case 'pause_turn':
      turn.continuing = message.calls.length === 0
      return null
    case 'max_tokens':
      return message.calls.length > 0 ? null : endAtLength(turn)
    case 'tool_use':
    case 'end_turn':
    case 'stop_sequence':
    case null:
      if (message.calls.length > 0) return null
  }
  const { text, draftIds } = turn.progress
  if (text.trim() === '' && draftIds.length === 0) return { stopReason: 'error', error: noText() }
  // A reason that nobody knows ends it like any other.
  return { stopReason: stopReason ?? 'end_turn' }
}

const isDone = ({ progress }: Turn, id: string): boolean =>
  progress.tools.some(({ tool_use_id, status }) => tool_use_id === id && status === 'done')

const noText = () => new ModelError('model_failed', 'The model returned no text.', { retryable: true })

type Request = { messages: ModelMessage[]; withTools: boolean }

/**
 * One model call, or the ending if it failed or was stopped; its text up to then is kept in the history. Text is emitted
 * as it arrives, and text that was not streamed is emitted at the end.
 */
async function askModel(turn: Turn, request?: Request): Promise<{ response: ModelResponse } | Ending> {
  const { messages = turn.history, withTools = true } = request ?? {}
  const { callModel, registry, system, thinking } = turn.options
  const { stop } = turn.guard
  const tools = registry.toAnthropicTools()
  const before = turn.progress.text.length
  let streamed = ''
  let open = true
  try {
    const call = callModel({
      ...(typeof system === 'string' ? { system } : { system: system.text, systemFixed: system.fixedLength }),
      messages: [...messages],
      ...(thinking ? { thinking } : {}),
      ...(withTools ? { tools } : { tools: [], withheldTools: tools }),
      onTextDelta: (text) => {
        if (!open) return
        if (turn.thinkingSince !== null) endThinking(turn)
        streamed += cleanText(text)
        emitText(turn, text)
      },
      onThinkingDelta: (text) => open && emitThinking(turn, text),
      onStatus: (message) => open && emitStatus(turn, message),
      signal: stop,
    })
    const response = cleanResponse(await raceAbort(call, stop))
    countUsage(turn, response)
    if (response.text.startsWith(streamed)) emitText(turn, response.text.slice(streamed.length))
    countContent(turn, response.content)
    return { response }
  } catch (error) {
    turn.continuing = false
    addText(turn, turn.progress.text.slice(before))
    return endingOf(turn, error)
  } finally {
    if (turn.thinkingSince !== null) endThinking(turn)
    open = false
    turn.continuing = false
  }
}

function endingOf(turn: Turn, error: unknown): Ending {
  if (turn.guard.stop.aborted) return reachedLimit(turn) ?? { stopReason: 'aborted' }
  if (error instanceof ModelError) return { stopReason: 'error', error }
  const unexpected = 'The model call failed inside Void.'
  return {
    stopReason: 'error',
    error: new ModelError('model_failed', unexpected, { retryable: false, cause: error }),
  }
}

// The endings that are not simply "the model is done". What the owner must know is part of the answer itself, so that it
// is in the conversation afterwards too.

/** The model reached its output limit. */
function endAtLength(turn: Turn): Ending {
  if (turn.progress.text === '')
    addToAnswer(turn, 'The model reached its length limit before it had written an answer.')
  else emitStatus(turn, 'The answer reached the length limit and ends here.')
  return { stopReason: 'max_tokens' }
}

/** Keeps what was shown and says what happened. Calls and thinking of a refused message are dropped. */
async function endRefused(turn: Turn, response: ModelResponse): Promise<Ending> {
  const notice = 'The model declined to answer this.'
  emitText(turn, notice)
  const text = [response.text.trim().toWellFormed(), notice].filter(Boolean).join('\n\n')
  const content = [{ type: 'text' as const, text }]
  addAssistant(turn, content)
  await turn.host.onStep?.({ type: 'message', content, response })
  return { stopReason: 'refusal' }
}

/**
 * The model's context is full. The first time in a turn the history is shortened and the loop goes on (`null`); the
 * second time, or if it cannot be shortened, the turn ends with an error. Text that was already shown is kept, and the
 * model is asked to continue from there, so that nothing is repeated.
 */
async function compactOnce(turn: Turn, response: ModelResponse): Promise<Ending | null> {
  const { host, guard, own } = turn
  const text = response.text.trim()
  if (text !== '') addAssistant(turn, [{ type: 'text', text: text.toWellFormed() }])
  const compacting = own.compacted ? null : host.compact?.([...turn.history])
  if (!compacting) return contextFull(response)

  emitStatus(turn, 'The conversation has grown too long for the model. Summing up its beginning.')
  try {
    own.compacted = await raceAbort(compacting, guard.stop)
  } catch (error) {
    return guard.stop.aborted ? null : contextFull(response, error)
  }
  turn.history = [...own.compacted]
  own.from = turn.history.length
  await host.onStep?.({ type: 'compaction', messages: own.compacted })
  if (turn.history.at(-1)?.role === 'assistant') turn.history.push({ role: 'user', content: continuation })
  turn.continuing = text !== ''
  return null
}

/** The model calls are used up: asks once more, without tools, for an answer from what was found. */
async function answerWithoutTools(turn: Turn): Promise<Ending> {
  const limit = { stopReason: 'iteration_limit', stoppedOnGuard: true }
  emitStatus(turn, 'The tool calls of this turn are used up. Answering from what was found.')

  const answer = await askModel(turn, { messages: withLastRequest(turn.history), withTools: false })
  if (!('response' in answer)) return answer.stopReason === 'error' ? { ...answer, ...limit } : answer
  const { response } = answer
  const blocks = response.content.filter((block) => block.type !== 'tool_use')
  const { content } = normalizeResponse({ ...response, content: blocks, toolUses: [] }, turn.usedIds)
  if (!content.some(isText))
    return endAtLimit(turn, limit.stopReason, 'the tool calls of this turn are used up')
  await addMessage(turn, content, response)
  return limit
}

/** The history for that call only: the request is not stored, so that it steers no later turn. */
function withLastRequest(history: ModelMessage[]): ModelMessage[] {
  const text =
    'You have used all tool calls of this turn. Answer now from what you have found, and say what is missing.'
  const block = { type: 'text' as const, text }
  const last = history.at(-1)
  if (last?.role !== 'user' || typeof last.content === 'string')
    return [...history, { role: 'user', content: [block] }]
  return [...history.slice(0, -1), { role: 'user', content: [...last.content, block] }]
}

function toResult({ progress, spent, history, own }: Turn, ending: Ending): TurnResult {
  const { stopReason, error = null, stoppedOnGuard = false } = ending
  return {
    text: progress.text,
    toolTrace: toolTrace(progress),
    draftIds: [...progress.draftIds],
    usage: spent.usage,
    stoppedOnGuard,
    stopReason,
    error,
    messages: history.slice(own.from),
    compacted: own.compacted,
  }
}
