// A model that follows a script, for tests of everything above `CallModel`.

import {
  type CallModel,
  type ContentBlock,
  type ModelRequest,
  type ModelResponse,
  noUsage,
} from '../../lib/ai/model.ts'

export type ScriptedStep = {
  /** Streamed in `deltas` pieces (2 when left out). */
  text?: string
  deltas?: number
  /** Streamed before the text, in one piece. */
  thinking?: string
  /** Blocks before the text, such as thinking. */
  before?: ContentBlock[]
  tools?: { name: string; input: unknown; id?: string }[]
  /** Left out: `tool_use` with tools, `end_turn` without. */
  stopReason?: string | null
  usage?: Partial<ModelResponse['usage']>
  /** Sentences for `onStatus`, before the text. */
  status?: string[]
  /** Rejects with this after the text was streamed. */
  error?: unknown
  /** Never settles after the text, until the signal is aborted. */
  hang?: boolean
}

export type ScriptedModel = CallModel & {
  /** What was asked, call by call; a later change of the caller's arrays does not show here. */
  requests: ModelRequest[]
}

/** Answers the nth call with the nth step, and throws when there are more calls than steps. */
export function scriptedModel(
  steps: (ScriptedStep | ((request: ModelRequest, call: number) => ScriptedStep | Promise<ScriptedStep>))[],
): ScriptedModel {
  const requests: ModelRequest[] = []

  const callModel: CallModel = async (request) => {
    const call = requests.push({ ...request, messages: structuredClone(request.messages) })
    const scripted = steps[call - 1]
    if (!scripted) throw new Error(`The script has ${steps.length} steps and was asked for step ${call}`)
    const step = typeof scripted === 'function' ? await scripted(request, call) : scripted
    return play(step, request, call)
  }
  return Object.assign(callModel, { requests })
}

async function play(step: ScriptedStep, request: ModelRequest, call: number): Promise<ModelResponse> {
  request.signal?.throwIfAborted()
  for (const message of step.status ?? []) request.onStatus?.(message)
  if (step.thinking) request.onThinkingDelta?.(step.thinking)
  for (const piece of pieces(step.text ?? '', step.deltas ?? 2)) request.onTextDelta?.(piece)
  if (step.hang) await untilAborted(request.signal)
  if (step.error !== undefined) throw step.error
  return response(step, call)
}

function response(step: ScriptedStep, call: number): ModelResponse {
  const text = step.text ?? ''
  const toolUses = (step.tools ?? []).map(({ name, input, id }, n) => ({
    id: id ?? `toolu_${call}_${n + 1}`,
    name,
    input,
  }))
  const content: ContentBlock[] = [
    ...(step.before ?? []),
    ...(text === '' ? [] : [{ type: 'text' as const, text }]),
    ...toolUses.map((use) => ({ type: 'tool_use' as const, ...use })),
  ]
  const usual = toolUses.length > 0 ? 'tool_use' : 'end_turn'
  const stopReason = step.stopReason === undefined ? usual : step.stopReason
  const usage = { ...noUsage, input_tokens: 10, output_tokens: 5, ...step.usage }
  return { text, content, toolUses, stopReason, usage }
}

function pieces(text: string, count: number): string[] {
  const size = Math.max(1, Math.ceil(text.length / count))
  return Array.from({ length: Math.ceil(text.length / size) }, (_, n) => text.slice(n * size, (n + 1) * size))
}

function untilAborted(signal: AbortSignal | undefined): Promise<never> {
  return new Promise((_, reject) =>
    signal?.addEventListener('abort', () => reject(signal.reason), { once: true }),
  )
}
