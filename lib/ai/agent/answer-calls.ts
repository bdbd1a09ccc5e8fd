import type { ToolResultBlock } from '../model.ts'
import { isToolUse, type ToolCall } from './carry-back.ts'
import type { TurnStep } from './events.ts'
import { minimumResultBytes } from './limits.ts'
import { refusalOf } from './refusal-of.ts'
import { runTool } from './run-tool.ts'
import { emit, type Turn } from './turn.ts'

/**
 * Runs the calls one after the other and adds one message with all their results. A call for which `refusalOf` gives
 * a text is answered with that error instead, and so is every call after a stop.
 */
export async function runCalls(
  turn: Turn,
  calls: ToolCall[],
  refusalOf: (index: number) => string | undefined = () => undefined,
): Promise<void> {
  const results: ToolResultBlock[] = []
  turn.history.push({ role: 'user', content: results })
  for (const [index, call] of calls.entries()) {
    const refusal = turn.stop.aborted ? 'The turn was stopped before this call was run.' : refusalOf(index)
    results.push(await runCall(turn, call, refusal))
  }
}

/** Answers the calls of a last message that an earlier attempt at this turn left open. */
export async function answerOpenCalls(turn: Turn): Promise<void> {
  const last = turn.history.at(-1)
  if (last?.role !== 'assistant' || typeof last.content === 'string') return
  const calls = last.content.filter(isToolUse)
  if (calls.length === 0) return

  const results: ToolResultBlock[] = []
  turn.history.push({ role: 'user', content: results })
  const message = { content: last.content, calls }
  for (const [index, call] of calls.entries()) {
    const known = turn.answered?.find((step) => step.result.tool_use_id === call.id)
    if (known) record(turn, known)
    const refusal = turn.stop.aborted
      ? 'The turn was stopped before this call was run.'
      : refusalOf(message, index, turn.earlier?.stopReason ?? null)
    results.push(known ? known.result : await runCall(turn, call, refusal))
  }
}

/** A call that a stop has cut off is no finished step: a turn that is taken up again runs it again. */
async function runCall(turn: Turn, call: ToolCall, refusal: string | undefined): Promise<ToolResultBlock> {
  const left = turn.bounds.turnResultBytes - turn.resultBytes
  const outcome = await runTool({
    call,
    registry: turn.registry,
    ctx: { ...turn.ctx, signal: turn.stop },
    maxBytes: Math.max(minimumResultBytes, Math.min(turn.bounds.resultBytes, left)),
    onEvent: (event) => emit(turn, event),
    now: turn.clock,
    refusal,
  })
  record(turn, outcome)
  if (!(turn.stop.aborted && outcome.call.status === 'error')) {
    await turn.onStep?.({ type: 'tool_result', ...outcome })
  }
  return outcome.result
}

function record(turn: Turn, { call }: Pick<Extract<TurnStep, { type: 'tool_result' }>, 'call'>): void {
  turn.toolTrace.push(call)
  turn.resultBytes += call.bytes
}
