// The companion without a model: rules that search, quote and draft. It is called as any model is, once with the
// message and again with each batch of tool results, and works out from the messages alone what comes next.
//
//   tool-results.ts                    what was written, and what the tools have returned since
//   plan.ts, reply.ts                  calls and answer as one deterministic generator; text with citations
//   respond.ts                         what kind of message it is
//   commands.ts                        create.ts, change.ts: drafts
//   answer-question.ts                 search, read, choose-quotes.ts, reply.ts
//   answer-list.ts                     "Which tasks are due?"

import { noUsage } from '../../usage/add-usage.ts'
import type { CallModel, ContentBlock, ModelResponse } from '../model.ts'
import { runPlan } from './plan.ts'
import { type Reply, toTextBlocks } from './reply.ts'
import { type Call, ownCall, readConversation } from './tool-results.ts'

/**
 * `now` is the day that "tomorrow" is counted from. The model never invents: its answers are quotations, fields of what
 * it read and fixed sentences. Rejects only with the reason of an aborted signal.
 */
export function createOfflineModel({ now }: { now: () => Date }): CallModel {
  return async (request) => {
    request.signal?.throwIfAborted()
    // Loaded with the first message: the date parser takes longer to load than the rest of the server's code.
    const { respond } = await import('./respond.ts')
    const { message, resultOf, named, images } = readConversation(request)
    const step = runPlan(respond(message, now(), { named, images }), resultOf)
    if ('calls' in step) return callTools(step.calls, request.messages.length)
    return answer(step.result, request.onTextDelta)
  }
}

function callTools(calls: Call[], step: number): ModelResponse {
  const toolUses = calls.map((call, index) => ({ id: `${ownCall}${step}_${index + 1}`, ...call }))
  const content = toolUses.map((use) => ({ type: 'tool_use' as const, ...use }))
  return { text: '', content, toolUses, stopReason: 'tool_use', usage: noUsage }
}

function answer(reply: Reply, onTextDelta?: (text: string) => void): ModelResponse {
  const content: ContentBlock[] = toTextBlocks(reply)
  const text = content.map((block) => ('text' in block ? block.text : '')).join('')
  for (const [piece] of text.matchAll(/\s*\S{1,60}/gu)) onTextDelta?.(piece)
  return { text, content, toolUses: [], stopReason: 'end_turn', usage: noUsage }
}
