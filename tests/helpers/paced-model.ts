// A model that says one piece after another, each when the test lets it.

import type { CallModel, ContentBlock, ModelRequest } from '../../lib/ai/model.ts'
import { type ScriptedStep, scriptedModel } from './scripted-model.ts'

export type PacedModel = {
  callModel: CallModel
  requests: ModelRequest[]
  /** Lets a call (the latest, unless another is named by its number) say this; resolves when it was said. */
  say(piece: string, call?: number): Promise<void>
  /** The same of what it thinks. */
  think(piece: string, call?: number): Promise<void>
  /** Ends a call with this step. */
  end(step?: ScriptedStep, call?: number): void
  /** Resolves when call number `count` has begun. */
  whenCalled(count: number): Promise<void>
}

type Order = { piece: string; isThought?: boolean; said: () => void } | { step: ScriptedStep }

type Call = { orders: Order[]; wake: () => void }

export function createPacedModel(): PacedModel {
  const requests: ModelRequest[] = []
  const calls: Call[] = []
  let called = Promise.withResolvers<void>()

  const callModel: CallModel = async (request) => {
    requests.push({ ...request, messages: structuredClone(request.messages) })
    const call: Call = { orders: [], wake: () => {} }
    calls.push(call)
    called.resolve()
    called = Promise.withResolvers()
    let said = ''
    for (;;) {
      const order = await next(call, request.signal)
      if ('step' in order) {
        const response = await scriptedModel([{ deltas: 1, ...order.step }])(request)
        return { ...response, text: said + response.text, content: withText(response.content, said) }
      }
      if (order.isThought) request.onThinkingDelta?.(order.piece)
      else {
        said += order.piece
        request.onTextDelta?.(order.piece)
      }
      order.said()
    }
  }

  return {
    callModel,
    requests,
    say: (piece, call) => new Promise((said) => give({ piece, said }, call)),
    think: (piece, call) => new Promise((said) => give({ piece, isThought: true, said }, call)),
    end: (step = {}, call) => give({ step }, call),
    whenCalled,
  }

  async function whenCalled(count: number): Promise<void> {
    while (calls.length < count) await called.promise
  }

  async function give(order: Order, number?: number): Promise<void> {
    await whenCalled(number ?? 1)
    const call = calls[(number ?? calls.length) - 1]!
    call.orders.push(order)
    call.wake()
  }
}

async function next(call: Call, signal: AbortSignal | undefined): Promise<Order> {
  for (;;) {
    signal?.throwIfAborted()
    const order = call.orders.shift()
    if (order) return order
    await new Promise<void>((resolve) => {
      call.wake = resolve
      signal?.addEventListener('abort', () => resolve(), { once: true })
    })
  }
}

function withText(content: ContentBlock[], said: string): ContentBlock[] {
  if (said === '') return content
  const [first, ...rest] = content
  const isText = first?.type === 'text' && 'text' in first
  return isText
    ? [{ type: 'text', text: said + String(first.text) }, ...rest]
    : [{ type: 'text', text: said }, ...content]
}
