// The companion without a model: rules that search, quote and draft. It is called as any model is, once with the
// message and again with each batch of tool results, and works out from the messages alone what comes next.
//
//   conversation.ts    what was written and what the tools have returned since; plans of calls
//   respond.ts         what kind of message it is; the answer to a question
//   question.ts        the words of a question, and what to quote for it
//   space-questions.ts what is in the Space, what links where, a day, the desk
//   lists.ts           "Which tasks are due?", "how many recipes do I have?"
//   commands.ts        drafts: command.ts (one command and its target), change.ts
//   reply.ts           text taken apart for quoting, and the reply with citations

import { instantAt } from '../../core/schedule/instants.ts'
import { machineZone } from '../../core/schedule/zoned.ts'
import { type CallModel, type ModelResponse, noUsage, type TextBlock } from '../model.ts'
import { type Call, ownCall, readConversation, runPlan } from './conversation.ts'

/** `now`: with the wall clock of the zone as its local fields. Default of `zone`: the machine's. */
type OfflineClock = { now: () => Date; zone?: () => string }

/**
 * `now` is the moment that "tomorrow" is counted from, by its local fields. The model never invents: its answers are quotations, fields of what
 * it read and fixed sentences. Rejects only with the reason of an aborted signal.
 */
export function createOfflineModel({ now, zone = machineZone }: OfflineClock): CallModel {
  return async (request) => {
    request.signal?.throwIfAborted()
    // Loaded with the first message: the date parser takes longer to load than the rest of the server's code.
    const { respond } = await import('./respond.ts')
    const { toTextBlocks } = await import('./reply.ts')
    const { message, resultOf, named, images } = readConversation(request)
    const inOwnerZone = (call: Call) => inZone(call, zone())
    const step = runPlan(respond(message, now(), { named, images }), (call) => resultOf(inOwnerZone(call)))
    if ('calls' in step) {
      return callTools(step.calls.map(inOwnerZone), request.messages.length)
    }
    return answer(toTextBlocks(step.result), request.onTextDelta)
  }
}

/** The call with its reminder, which is a wall-clock time, as an instant. */
function inZone(call: Call, zone: string): Call {
  const { payload } = call.input as { payload?: { remind_at?: unknown } }
  if (typeof payload?.remind_at !== 'string' || payload.remind_at.endsWith('Z')) return call
  const [day = '', time = ''] = payload.remind_at.split('T')
  const remind_at = instantAt({ day, time }, zone).toISOString()
  return { ...call, input: { ...call.input, payload: { ...payload, remind_at } } }
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
