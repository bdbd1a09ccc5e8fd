// The companion without a model: rules that search, quote and draft. It is called as any model is, once with the
// question and again with each batch of tool results, and works out from the messages alone what comes next.
//
//   conversation.ts  what was asked, which calls were answered      respond.ts   what kind of request it is
//   plan.ts          calls and reply as one deterministic generator  reply.ts     text and citations
//   commands/        wishes for a change → drafts                    questions/   search, read, quote

import { type CallModel, type ContentBlock, type ModelResponse, noUsage } from './model.ts'
import { readConversation } from './offline/conversation.ts'
import { advance, type Call } from './offline/plan.ts'
import { type Reply, toTextBlocks } from './offline/reply.ts'
import { respond } from './offline/respond.ts'

/** What the companion says of itself where a model's name would stand. */
export const offlineNotice = 'Offline: I can search, quote and draft simple changes'

/**
 * `now` gives the day that "tomorrow" is counted from. The model never invents: its answers are quotations, fields of
 * what it read and fixed sentences. Rejects only with the reason of an aborted signal.
 */
export function createOfflineModel({ now }: { now: () => Date }): CallModel {
  return async (request) => {
    request.signal?.throwIfAborted()
    const { asked, answerOf } = readConversation(request)
    const outcome = advance(respond(asked, now()), answerOf)
    if ('missing' in outcome) return callTools(outcome.missing, request.messages.length)
    return answer(outcome.result, request.onTextDelta)
  }
}

function callTools(calls: Call[], step: number): ModelResponse {
  const toolUses = calls.map((call, index) => ({ id: `offline_${step}_${index + 1}`, ...call }))
  const content = toolUses.map((use) => ({ type: 'tool_use' as const, ...use }))
  return { text: '', content, toolUses, stopReason: 'tool_use', usage: noUsage }
}

function answer(reply: Reply, onTextDelta?: (text: string) => void): ModelResponse {
  const blocks = toTextBlocks(reply)
  const content: ContentBlock[] = blocks
  const text = blocks.map((block) => block.text).join('')
  for (const [piece] of text.matchAll(/\s*\S{1,60}/gu)) onTextDelta?.(piece)
  return { text, content, toolUses: [], stopReason: 'end_turn', usage: noUsage }
}
