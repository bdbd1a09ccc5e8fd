// The tool calls of one message of the model, run one after the other and answered in the next message.

import { isToolUse, type NormalizedMessage, type ToolCall } from '../history/normalize-response.ts'
import type { ToolResultBlock } from '../model.ts'
import { runTool } from './run-tool.ts'
import { emit, type Turn } from './turn.ts'

/** What a result may always use, however full the turn is: enough to name the draft that was stored. */
const minResultBytes = 1024

/** Runs the calls and adds one message with all their results. After a stop, the rest are answered with an error. */
export async function callTools(
  turn: Turn,
  message: NormalizedMessage,
  stopReason: string | null,
): Promise<void> {
  const results: ToolResultBlock[] = []
  turn.history.push({ role: 'user', content: results })
  await answerCalls(turn, message, { stopReason, results })
}

/** Answers the calls that an earlier attempt at this turn left open at the end of the history. */
export async function answerOpenCalls(turn: Turn): Promise<void> {
  const { history } = turn
  const stored = resultsIn(history.at(-1))
  const message = history.at(stored ? -2 : -1)
  if (message?.role !== 'assistant' || typeof message.content === 'string') return
  const calls = message.content.filter(isToolUse)
  const results = [...(stored ?? [])]
  if (calls.length === results.length) return

  if (stored) history.pop()
  turn.own.from = history.length
  for (const { content } of results) turn.spent.resultBytes += Buffer.byteLength(JSON.stringify(content))
  history.push({ role: 'user', content: results })
  const stopReason = turn.host.earlier?.stopReason ?? null
  await answerCalls(turn, { content: message.content, calls }, { stopReason, results })
}

/** Answers the calls that have no result yet. Results are added in the order of the calls. */
async function answerCalls(
  turn: Turn,
  message: NormalizedMessage,
  { stopReason, results }: { stopReason: string | null; results: ToolResultBlock[] },
): Promise<void> {
  const answered = new Set(results.map(({ tool_use_id }) => tool_use_id))
  for (const [index, call] of message.calls.entries()) {
    if (answered.has(call.id)) continue
    const refusal = turnRefusal(turn) ?? callRefusal(message, index, stopReason)
    results.push(await answerCall(turn, call, refusal))
  }
}

/** The reason why the turn runs no further call, in words for the model. */
function turnRefusal({ guard, progress }: Turn): string | null {
  if (guard.stop.aborted) return 'The turn was stopped before this call was run.'
  const { calls } = guard.limits
  return progress.tools.length < calls ? null : `This call was not run: a turn may make ${calls} calls.`
}

/** A call that a stop interrupted is no finished step: a resumed turn runs it again. */
async function answerCall(turn: Turn, call: ToolCall, refusal: string | null): Promise<ToolResultBlock> {
  const { options, host, guard, spent } = turn
  const left = guard.limits.turnResultBytes - spent.resultBytes
  const outcome = await runTool({
    call,
    registry: options.registry,
    ctx: { ...options.ctx, signal: guard.stop },
    maxBytes: Math.max(minResultBytes, Math.min(guard.limits.resultBytes, left)),
    onEvent: (event) => emit(turn, event),
    onError: host.onToolError,
    now: guard.clock,
    refusal,
  })
  const { result, call: entry, target, given, draft, effects, bytes } = outcome
  spent.resultBytes += bytes
  spent.bytes += bytes
  if (draft) emit(turn, { type: 'draft', data: draft })
  for (const effect of effects) {
    const data = { tool_use_id: call.id, effect }
    if ((await host.admitEffect?.(data)) !== false) emit(turn, { type: 'effect', data })
  }
  if (!(guard.stop.aborted && entry.status === 'error')) {
    await host.onStep?.({ type: 'tool_result', result, call: entry, target, given })
  }
  return result
}

/**
 * The reason why the call at `index` of a message must not be run, in words for the model. Only the last block can be cut
 * off; the calls before it are complete.
 */
function callRefusal(message: NormalizedMessage, index: number, stopReason: string | null): string | null {
  if (isRunnable(stopReason)) return null
  if (stopReason !== 'max_tokens') return `This call was not run: the message stopped with "${stopReason}".`
  const isCut = index === message.calls.length - 1 && message.content.at(-1)?.type === 'tool_use'
  return isCut
    ? 'This call was not run: your message reached its length limit. Go on in parts: a shorter call now, then more calls that add the rest.'
    : null
}

/** Some servers that speak the protocol say `end_turn` or nothing with a tool call. */
const isRunnable = (stopReason: string | null) =>
  stopReason === null || ['tool_use', 'end_turn', 'stop_sequence', 'pause_turn'].includes(stopReason)

/** The tool results that a message consists of; `null` for any other message. */
function resultsIn(message: Turn['history'][number] | undefined): ToolResultBlock[] | null {
  if (message?.role !== 'user' || typeof message.content === 'string') return null
  const results = message.content.filter(
    (block): block is ToolResultBlock => block.type === 'tool_result' && 'tool_use_id' in block,
  )
  return results.length > 0 && results.length === message.content.length ? results : null
}
