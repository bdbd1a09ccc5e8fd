// The companion without a model: rules that search, quote and draft. It is called as any model is, once with the
// message and again with each batch of tool results, and works out from the messages alone what comes next.
//
//   conversation.ts    what was written and what the tools have returned since; plans of calls
//   respond.ts         what kind of message it is; the answer to a question
//   question.ts        the words of a question, and what to quote for it
//   lists.ts           "Which tasks are due?", "how many recipes do I have?"
//   commands.ts        drafts: command.ts (one command and its target), change.ts
//   reply.ts           text taken apart for quoting, and the reply with citations

import { type CallModel, type ModelResponse, noUsage, type TextBlock } from '../model.ts'
import { type Call, ownCall, readConversation, runPlan } from './conversation.ts'

/**
 * `now` is the day that "tomorrow" is counted from. The model never invents: its answers are quotations, fields of what
 * it read and fixed sentences. Rejects only with the reason of an aborted signal.
 */
export function createOfflineModel({ now }: { now: () => Date }): CallModel {
  return async (request) => {
    request.signal?.throwIfAborted()
    // Loaded with the first message: the date parser takes longer to load than the rest of the server's code.
    const { respond } = await import('./respond.ts')
    const { toTextBlocks } = await import('./reply.ts')
    const { message, resultOf, named, images } = readConversation(request)
    const step = runPlan(respond(message, now(), { named, images }), resultOf)
    if ('calls' in step) return callTools(step.calls, request.messages.length)
    return answer(toTextBlocks(step.result), request.onTextDelta)
  }
}

function callTools(calls: Call[], step: number): ModelResponse {
  const toolUses = calls.map((call, index) => ({ id: `${ownCall}${step}_${index + 1}`, ...call }))
  const content = toolUses.map((use) => ({ type: 'tool_use' as const, ...use }))
  return { text: '', content, toolUses, stopReason: 'tool_use', usage: noUsage }
}

function answer(content: TextBlock[], onTextDelta?: (text: string) => void): ModelResponse {
  const text = content.map((block) => block.text).join('')
  for (const [piece] of text.matchAll(/\s*\S{1,60}/gu)) onTextDelta?.(piece)
  return { text, content, toolUses: [], stopReason: 'end_turn', usage: noUsage }
}
